"""Report of a check in JUnit's XML, which servers of continuous integration read.

A level is a test suite.  Its map is a test case, and each expectation of a script is one.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any
from xml.etree import ElementTree as ET

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow."""


def junit_xml(rows: list[dict[str, Any]]) -> bytes:
    """Return the report of a check; rows of one level stand together."""
    root = ET.Element("testsuites", name="fogline check")
    for level, group in groupby(rows, lambda row: str(row["level"])):
        suite = ET.SubElement(root, "testsuite", name=_clean(level))
        for row in group:
            _add_cases(suite, row)
        _count(suite, list(suite))
    _count(root, root.findall("testsuite/testcase"))
    ET.indent(root, " ")
    xml: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return xml


def _add_cases(suite: ET.Element, row: dict[str, Any]) -> None:
    """Add a test case for each expectation, and one for all other failures."""
    place = str(row["script"] or row["level"])
    left = list(row["failures"])
    for number, expectation in enumerate(row.get("expectations", []), 1):
        told = f"{expectation['kind']}: {expectation['failure']}" if expectation["failure"] is not None else None
        if told in left:
            left.remove(told)
        _add_case(suite, place, f"{number} {expectation['kind']}", [told] if told is not None else [])
    if left or not row.get("expectations"):
        _add_case(suite, place, "map" if row["script"] is None else "script", left)


def _add_case(suite: ET.Element, place: str, name: str, failures: list[str]) -> None:
    case = ET.SubElement(suite, "testcase", classname=_clean(place), name=_clean(name))
    if failures:
        failure = ET.SubElement(case, "failure", message=_clean(failures[0]), type="failure")
        failure.text = _clean("\n".join(failures))


def _count(element: ET.Element, cases: list[ET.Element]) -> None:
    failures = sum(case.find("failure") is not None for case in cases)
    element.set("tests", str(len(cases)))
    element.set("failures", str(failures))
    element.set("errors", "0")


def _clean(text: str) -> str:
    return _NOT_XML.sub("?", text)
