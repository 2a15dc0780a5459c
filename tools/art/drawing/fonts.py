"""Typefaces: Source Serif and Source Sans (SIL OFL 1.1), with their licences.

They are copied from their Python packages.
"""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

FACES = {
    "serif": ("font_source_serif_pro", "SourceSerifPro-Semibold.ttf"),
    "serif_bold": ("font_source_serif_pro", "SourceSerifPro-Bold.ttf"),
    "serif_italic": ("font_source_serif_pro", "SourceSerifPro-SemiboldIt.ttf"),
    "sans": ("font_source_sans_pro", "SourceSansPro-Semibold.ttf"),
    "sans_bold": ("font_source_sans_pro", "SourceSansPro-Bold.ttf"),
    "sans_italic": ("font_source_sans_pro", "SourceSansPro-SemiboldIt.ttf"),
}
LICENCES = {"font_source_serif_pro": "OFL-SourceSerifPro.txt", "font_source_sans_pro": "OFL-SourceSansPro.txt"}
SMALLEST = 14  # px


def bake(folder: Path) -> dict[str, str]:
    """Copy typefaces and licences; return the file of each typeface.

    Files of a package that is not installed are kept as they are.
    """
    target = folder / "fonts"
    target.mkdir(parents=True, exist_ok=True)
    for package, file in [*FACES.values(), *((package, "LICENSE.txt") for package in LICENCES)]:
        found = importlib.util.find_spec(package)
        if found is None or found.origin is None:
            print(f"  {package} is not installed (pip install {package.replace('_', '-')}): {file} kept as it is")
            continue
        source = Path(found.origin).parent / "files" / file
        shutil.copyfile(source, target / (LICENCES[package] if file == "LICENSE.txt" else file))
    return {name: f"fonts/{file}" for name, (_, file) in FACES.items()}
