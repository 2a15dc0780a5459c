// Checks a map of Fogline when it is saved, and lists each finding in Tiled's Issues panel.
//
// The project holds two properties: fogline_python, the program that runs Python, and fogline_main, the path of main.py
// from the project's folder. A double click on an issue shows its tile and selects its object.
(function () {
    "use strict";

    function folderOf(path) {
        return path.replace(/[^\/\\]*$/, "");
    }

    function isAbsolute(path) {
        return /^([\/\\]|[A-Za-z]:)/.test(path);
    }

    // Returns the object with that id in a layer or one of its layers, or null.
    function objectIn(layer, id) {
        const objects = layer.isObjectLayer ? layer.objects : [];
        for (let n = 0; n < objects.length; ++n)
            if (objects[n].id === id)
                return objects[n];
        const inner = layer.isTileMap || layer.isGroupLayer ? layer.layers : [];
        for (let n = 0; n < inner.length; ++n) {
            const found = objectIn(inner[n], id);
            if (found)
                return found;
        }
        return null;
    }

    function show(fileName, finding) {
        const map = tiled.open(fileName);
        if (!map || !map.isTileMap)
            return;
        const thing = finding.object === null ? null : objectIn(map, finding.object);
        if (thing)
            map.selectedObjects = [thing];
        if (finding.tile && tiled.mapEditor && tiled.mapEditor.currentMapView) {
            const x = (finding.tile[0] + 0.5) * map.tileWidth, y = (finding.tile[1] + 0.5) * map.tileHeight;
            tiled.mapEditor.currentMapView.centerOn(x, y);
        }
    }

    // Returns exit code and texts of the check; the code is -1 when it could not be started.
    function run(python, main, folder, fileName) {
        const process = new Process();
        try {
            process.codec = "UTF-8";
            process.workingDirectory = folder;
            process.setEnv("PYTHONIOENCODING", "utf-8");
            const code = process.exec(python, [main, "check", fileName, "--maps-only", "--json", "-"], false);
            return { code: code, out: process.readStdOut(), err: process.readStdErr() };
        } finally {
            process.close();
        }
    }

    function check(asset) {
        const python = tiled.project.property("fogline_python"), given = tiled.project.property("fogline_main");
        if (!asset || !asset.isTileMap || !python || !given)
            return;
        const fileName = asset.fileName, folder = folderOf(tiled.projectFilePath);
        const main = isAbsolute(given) ? given : folder + given;
        const done = run(python, main, folder, fileName);
        let rows = null;
        try {
            rows = done.code === 0 || done.code === 1 ? JSON.parse(done.out) : null;
        } catch (error) {
            rows = null;
        }
        if (!rows) {
            const said = done.err.trim().split("\n").pop() || "it could not be started";
            tiled.error("Fogline: " + python + " " + main + ": " + said
                        + "; correct fogline_python and fogline_main in Project > Project Properties", function () {});
            return;
        }
        let count = 0;
        rows.forEach(function (row) {
            (row.findings || []).forEach(function (finding) {
                ++count;
                const line = [finding.place, finding.wrong].filter(Boolean).join(": ");
                tiled.error(line + (finding.remedy ? "; " + finding.remedy : ""), function () {
                    show(fileName, finding);
                });
            });
        });
        tiled.log("Fogline: " + fileName + ": " + (count ? count + " findings" : "no findings"));
    }

    tiled.assetSaved.connect(check);
})();
