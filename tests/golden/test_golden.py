"""Our echo server says what the Python edition says, save for the listed differences."""

import json

import pytest
from golden import (
    DIFFERENCES,
    ServerPool,
    allowed_differences,
    complaints,
    differences,
    groups,
    load,
    play,
    recorded,
)
from server_process import server_kind

CASES = [(group, case) for group in groups() for case in group["cases"]]
CASE_IDS = [case["id"] for _, case in CASES]


@pytest.fixture(scope="module")
def servers():
    with ServerPool() as pool:
        yield pool


@pytest.mark.parametrize("group, case", CASES, ids=CASE_IDS)
def test_answers_as_recorded(servers, group, case):
    allowed = allowed_differences() if server_kind() == "ours" else {}
    seen = play(servers.for_group(group), case)
    wrong = complaints(recorded(group["name"])[case["id"]], seen, allowed.get(case["id"], []))
    assert not wrong, "\n".join(wrong)


def test_case_names_are_unique():
    assert len(CASE_IDS) == len(set(CASE_IDS))


def test_everything_recorded_is_played():
    for group in groups():
        played = {case["id"] for case in group["cases"]}
        assert set(recorded(group["name"])) == played, group["name"]


def test_listed_differences_name_cases_that_exist():
    assert set(allowed_differences()) <= set(CASE_IDS)


def test_listed_differences_are_explained_once():
    entries = load(DIFFERENCES)["differences"]
    assert len({entry["id"] for entry in entries}) == len(entries)
    assert all(entry["title"] and entry["why"] and entry["where"] for entry in entries)
    places = [(place["case"], place["at"]) for entry in entries for place in entry["where"]]
    assert len(places) == len(set(places))


@pytest.mark.parametrize(
    "reference, ours, found",
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 1.0}, [["/a", 1, 1.0]]),
        ({"a": True}, {"a": 1}, [["/a", True, 1]]),
        ({"a": 1, "b": 1}, {"a": 1, "c": 1}, [["/b", 1, "<absent>"], ["/c", "<absent>", 1]]),
        ({"frame": 1}, {"close": 1}, [["", {"frame": 1}, {"close": 1}]]),
        ({"code": 1, "a": 1}, {"code": 2}, [["", {"code": 1, "a": 1}, {"code": 2}]]),
        ([1, 2], [1], [["/1", 2, "<absent>"]]),
        ([{"a": None}], [{}], [["/0/a", None, "<absent>"]]),
        ({"done": False, "n": 1}, {"done": 0, "n": 1}, [["/done", False, 0]]),
        ({"a": []}, {"a": {}}, [["/a", [], {}]]),
    ],
)
def test_comparison_finds_every_difference(reference, ours, found):
    assert json.dumps(list(differences(reference, ours))) == json.dumps(found)


def test_comparison_complains_in_both_directions():
    assert not complaints([{"a": 1}], [{"a": 2}], [("/0/a", 1, 2)])
    assert "not listed" in complaints([{"a": 1}], [{"a": 2}], [])[0]
    assert "no longer" in complaints([{"a": 1}], [{"a": 1}], [("/0/a", 1, 2)])[0]
    assert len(complaints([{"a": 1}], [{"a": 1.0}], [("/0/a", 1, 1)])) == 2
