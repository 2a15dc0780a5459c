"""Static site: techniques built whole, every page parsed, every link followed."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from PIL import Image

from tools.site.__main__ import main
from tools.site.exhibit_loops import LoopPlan
from tools.site.site_builder import build_site, chosen_cards
from tools.site.site_folder import whole_folder
from tools.site.site_pages import Shown, card_page, code_block, page

SLUGS = ("jps", "theta-star", "animation-graph")
"""Two techniques with exhibits on small maps, and one without."""
VOID = {"meta", "link", "img", "br"}


class Reader(HTMLParser):
    """Reads a page strictly: balanced tags, single ids, and what it points to."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.pictures: list[str] = []
        self.counts: dict[str, int] = {}
        self.text = ""

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        assert len(given) == len(attrs), f"<{tag}> has an attribute twice"
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if "id" in given:
            self.ids.append(given["id"])
        if tag in ("a", "link"):
            self.links.append(given["href"])
        if tag == "img":
            assert given["alt"].strip(), "a picture has words"
            self.pictures.append(given["src"])
        if tag == "html":
            assert given["lang"] == "en"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert tag not in VOID and self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data):
        self.text += data


def read(text: str) -> Reader:
    assert text.startswith("<!DOCTYPE html>\n")
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert not reader.open and len(set(reader.ids)) == len(reader.ids)
    for tag in ("html", "head", "title", "body", "main", "h1"):
        assert reader.counts[tag] == 1, tag
    return reader


@pytest.mark.parametrize("slugs", [SLUGS[::2], pytest.param(SLUGS, marks=pytest.mark.long)], ids=["two", "three"])
def test_a_site_is_built_and_every_link_and_picture_is_there(slugs, tmp_path: Path, monkeypatch) -> None:
    for name in ("FOGLINE_CONFIG", "FOGLINE_DATA"):
        monkeypatch.setenv(name, str(tmp_path / name))
    out = tmp_path / "made" / "site"
    count = build_site(out, slugs, LoopPlan(frames=2, every=20, painted=False))
    pages = {path: read(path.read_text(encoding="utf-8")) for path in out.rglob("*.html")}
    assert count == len(pages) == 1 + len(slugs) + 5
    for path, reader in pages.items():
        for link in (*reader.links, *reader.pictures):
            assert not re.match(r"\w+:|//", link), f"{path.name}: {link} leads outside"
            target, _, anchor = link.partition("#")
            there = (path.parent / target).resolve() if target else path.resolve()
            assert there.is_file() and there.is_relative_to(out.resolve()), f"{path.name}: {link}"
            assert not anchor or anchor in pages[there].ids
    index = pages[out / "index.html"]
    assert {f"technique/{slug}.html" for slug in slugs} <= set(index.links)
    jps = pages[out / "technique" / "jps.html"]
    card = chosen_cards(["jps"])[0]
    assert jps.pictures == ["../picture/jps.gif", "../picture/jps.png"]
    for words in (card.name, card.row.question, card.row.source, card.row.test, card.paragraph):
        assert words in jps.text
    assert card.deciding[0].text[card.deciding[0].line - 1] in jps.text
    assert pages[out / "technique" / "animation-graph.html"].pictures == []
    with Image.open(out / "picture" / "jps.gif") as loop:
        assert loop.n_frames == 2 and loop.width == 480
        first = loop.convert("RGB").tobytes()
        loop.seek(1)
        assert loop.convert("RGB").tobytes() != first, "something moves"
    style = (out / "style.css").read_text(encoding="utf-8")
    assert style.count("{") == style.count("}")
    assert all((out / file).is_file() for file in re.findall(r'url\("([^"]+)"\)', style))
    assert [path.name for path in out.parent.iterdir()] == ["site"], "nothing is left beside it"


def test_all_words_are_escaped() -> None:
    card = chosen_cards(["jps"])[0]
    fields = card.row.__dict__ | {"name": 'A <b>"bold"</b> & name', "question": "<script>1</script>?"}
    odd = type(card)(type(card.row)(**fields), card.chapter, card.sentence, card.source_chapter, (), "<i>&amp;</i>")
    reader = read(card_page(Shown(odd, "", ""), {}))
    assert 'A <b>"bold"</b> & name' in reader.text and "<i>&amp;</i>" in reader.text
    assert not {"b", "i", "script"} & set(reader.counts)
    source = card.deciding[0]
    reader = read(page("x", "<h1>x</h1>" + code_block(source, source.line, source.end, (source.line, source.line))))
    assert source.text[source.line - 1] in reader.text and reader.counts["mark"] == 1


def test_a_folder_with_foreign_files_and_other_slips_end_in_one_line(tmp_path: Path, capsys) -> None:
    foreign = tmp_path / "mine"
    foreign.mkdir()
    (foreign / "letter.txt").write_text("dear", encoding="utf-8")
    file = tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    (damaged / "site.json").write_text("{", encoding="utf-8")
    for arguments, told in (
        ([str(foreign), "jps"], f"{foreign}: holds letter.txt, which no site wrote"),
        ([str(file), "jps"], f"{file}: is no folder"),
        ([str(damaged), "jps"], f"{damaged / 'site.json'}: is damaged"),
        ([str(file / "below"), "jps"], "cannot be"),
        ([str(tmp_path / "new"), "jpz"], "jpz: no slug of a technique; did you mean 'jps'?"),
    ):
        assert main(arguments) == 2
        words = capsys.readouterr().err
        assert told in words and words.count("\n") == 1, words
    assert (foreign / "letter.txt").read_text(encoding="utf-8") == "dear"
    assert not (tmp_path / "new").exists()


def test_a_site_takes_the_place_of_an_older_one_whole_or_not_at_all(tmp_path: Path) -> None:
    out = tmp_path / "site"
    with whole_folder(out) as folder:
        (folder / "old.html").write_text("old", encoding="utf-8")
        assert not out.exists()
    with pytest.raises(RuntimeError), whole_folder(out) as folder:
        (folder / "half.html").write_text("half", encoding="utf-8")
        raise RuntimeError
    assert sorted(path.name for path in out.iterdir()) == ["old.html", "site.json"]
    with whole_folder(out) as folder:
        (folder / "new.html").write_text("new", encoding="utf-8")
    assert sorted(path.name for path in out.iterdir()) == ["new.html", "site.json"]
    (out / "note.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(ValueError, match=r"holds note\.txt"), whole_folder(out):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
