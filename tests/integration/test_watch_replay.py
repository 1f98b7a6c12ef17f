"""`sandbox-agent watch replay`: the same findings for people and programs, exit codes, damaged recordings.

    pytest tests/integration/test_watch_replay.py

What the detectors find in which stream is proved by tests/unit/test_watch.c.
"""
import json

import pytest
from helpers import ROOT

DATA = ROOT / "tests/data/watch"
ATTACK = str(DATA / "reverse_shells.attack-dev-tcp.jsonl")
HONEST = str(DATA / "port_scanning.honest-crawler.jsonl")


def test_findings_for_people_and_for_programs(box):
    done = box.agent("watch", "replay", ATTACK, "--risk-level", "high")
    assert done.code == 1 and "  kill    reverse_shells  " in done.text and "3 events, 1 finding\n" in done.text
    told = json.loads(box.agent("watch", "replay", ATTACK, "--risk-level", "high", "--json").text)
    assert told["events"] == 3
    (finding,) = told["findings"]
    assert (finding["detector"], finding["mode"], finding["event"]) == ("reverse_shells", "kill", 3)
    assert finding["evidence"] in done.text


def test_the_mode_is_the_levels(box):
    assert json.loads(box.agent("watch", "replay", ATTACK, "--risk-level", "low",
                                "--json").text)["findings"][0]["mode"] == "report"


def test_an_honest_stream_ends_with_0(box):
    done = box.agent("watch", "replay", HONEST)
    assert (done.code, done.text) == (0, "401 events, 0 findings\n")


@pytest.mark.parametrize("lines, words", [
    ('{"at_us":1,"kind":"end"}\n{"at_us":2}\n', ("bad.jsonl:2: ", "kind: missing")),
    ('{"at_us":1,"kind":"end"}\n\n', ("bad.jsonl:2: ", "not a flat JSON object")),
    ("x" * 20000 + "\n", ("bad.jsonl:1: ", "16384 bytes")),
])
def test_a_damaged_recording_is_refused_with_its_line(box, lines, words):
    done = box.agent("watch", "replay", str(box.file("bad.jsonl", lines)))
    assert done.code == 2 and all(w in done.words for w in words), done


def test_what_is_no_recording_is_a_usage_error(box):
    for argv in (("watch",), ("watch", "replay"), ("watch", "replay", "/nonexistent"),
                 ("watch", "replay", ATTACK, ATTACK), ("watch", "dance")):
        assert box.agent(*argv).code == 2, argv


# -- recording
# ---------------------------------------------------------------------------------------------------------------

def test_a_recorded_run_is_replayed_with_the_findings_it_had(box):
    path = box.dir / "events.jsonl"
    path.touch()
    path.chmod(0o666)
    r = box.command_json("unshare", "-U", "true", level="low", options=["--record-events", path])
    assert [v["type"] for v in r["violations"]] == ["privilege_escalation_attempt"]
    done = box.agent("watch", "replay", path, "--risk-level", "low")
    assert done.code == 1 and "privilege_escalation_attempt" in done.text and "1 finding" in done.text, done


def test_options_that_would_mean_nothing_are_refused(box):
    blind = box.derive("medium", {"monitoring.detect_anomalies": False, "monitoring.syscall_monitoring": False,
                                  "monitoring.network_attempt_detection": False,
                                  "monitoring.privilege_escalation_detection": False,
                                  "monitoring.file_access_monitoring": False,
                                  "monitoring.pattern_matching": [], "logging.audit_syscalls": False})
    path = box.dir / "none.jsonl"
    done = box.command("true", profile=blind, options=["--record-events", path])
    assert done.code == 2 and "watches nothing" in done.words and "remedy: " in done.words, done
    assert not path.exists()
    done = box.command("true", level="medium", options=["--network-learn"])
    assert done.code == 2 and "network.mode is none" in done.words and "remedy: " in done.words, done


def test_a_recording_that_finds_no_room_is_told(box):
    done = box.command("true", level="low", options=["--record-events", "/dev/full"])
    assert done.code == 0 and "recording" in done.words, done
