"""policy test over what runs did: the audit's summaries and whole recordings, under another network, limit, threshold
or kill switch. What the judges themselves say is proved by tests/unit; which decisions differ by test_agents.py."""
import json

import pytest
import yaml
from helpers import ROOT

DATA = ROOT / "tests/data/watch"
CRAWLER = DATA / "port_scanning.honest-crawler.jsonl"
BRIDGE = {"network.mode": "bridge", "network.allow": []}


def judged(box, *words, code=0):
    done = box.agent("policy", "test", "--json", *words)
    assert done.code == code, done
    return json.loads(done.text)


def refused(told):
    return {(d["execution_id"], d["would_be"]["refused_by"]) for d in told["differences"]}


def connect(name, address, port, at_us=10):
    event = {"at_us": at_us, "kind": "connect", "pid": 7, "protocol": 6, "address": address, "port": port,
             "connection": 1, **({"name": name} if name else {})}
    return json.dumps(event, separators=(",", ":")) + "\n"


def line(action, execution, agent="a", **more):
    """Of the audit."""
    return json.dumps({"@timestamp": "2026-11-21T04:35:04.000Z", "gen_ai": {"agent": {"id": agent}},
                       "event": {"action": action, "reason": "completed", "duration": 5000000},
                       "process": {"entity_id": execution}, "labels": {"risk_level": "low"},
                       "agentsandbox": {"language": "python", **more}}) + "\n"


def activity(name, address, port):
    return {"connections": [{"name": name, "address": address, "port": port, "protocol": "tcp", "verdict": "allowed"}],
            "peak": {"memory_bytes": 1, "pids": 1}}


def touching(mib):
    return "import time\nx = bytearray(%d << 20)\nfor i in range(0, len(x), 4096): x[i] = 1\ntime.sleep(0.4)" % mib


# ---- the audit ----

def test_runs_of_the_audit_are_judged_by_limits_and_kill_switches_of_another_profile(box):
    watching = {"logging.audit_syscalls": True, "kill_switches": []}
    small = box.json("python", "print(1)", profile=box.derive("medium", watching))
    large = box.json("python", touching(60), profile=box.derive("medium", watching))
    tries = box.command_json("unshare", "-U", "true", profile=box.derive("low", watching))
    assert [r["reason"] for r in (small, large)] == ["completed"] * 2, (small["error"], large["error"])
    assert tries["violations"], tries
    ids = [r["execution_id"] for r in (small, large, tries)]

    told = judged(box, "--profile", box.derive("low", watching))
    assert (told["runs"], told["runs_without_activity"], told["unreadable_lines"]) == (3, 0, 0)
    assert not refused(told), told
    told = judged(box, "--profile", box.derive("low", watching, **{"resources.memory": "40m"}))
    assert refused(told) == {(ids[1], "resources.memory")}, told
    assert "of 41943040 bytes" in told["differences"][0]["reasons"], told
    told = judged(box, "--profile", box.derive("low", watching, kill_switches=["privilege_escalation_attempt"]))
    assert refused(told) == {(ids[2], "privilege_escalation_attempt")}, told
    assert judged(box, "--profile", box.derive("low", watching, **{"resources.memory": "40m"}), "--exit-code", code=1)
    assert judged(box, "--profile", box.derive("low", watching), "--exit-code", code=0)


def test_a_connection_of_the_audit_is_judged_by_the_networks_rules_and_a_refused_decision_did_nothing(box):
    """No network is needed for it."""
    decided = {"decision": {"has_agent": False, "asked": "low", "scanned": False}}
    audit = box.file("recorded.jsonl", "".join([
        line("execution-decided", "e1", **decided),
        line("execution-finished", "e1", activity=activity("pypi.org", "151.101.0.223", 443)),
        line("execution-finished", "e2", activity=activity(None, "198.41.0.4", 53)),
        line("execution-finished", "e3")]))

    def test(*words, **network):
        profile = box.derive("low", {**BRIDGE, **{"network." + k: v for k, v in network.items()}})
        return judged(box, "--audit", audit, *words, "--profile", profile)
    told = test()
    assert (told["runs"], told["runs_without_activity"], refused(told)) == (3, 1, set()), told
    told = test(allow=["pypi.org:443"])
    assert refused(told) == {("e2", "network")} and "198.41.0.4" in told["differences"][0]["reasons"], told
    assert refused(test(deny=["pypi.org"])) == {("e1", "network")}
    assert refused(test(allow=["pypi.org:80", "198.41.0.0/24"])) == {("e1", "network")}
    assert refused(test(mode="none")) == {("e1", "network.mode"), ("e2", "network.mode")}
    off = box.file("off.yaml", json.dumps({"languages": {"python": {"enabled": False}}}))
    told = test("--config", off, mode="none")
    assert refused(told) == {("e1", "languages.enabled"), ("e2", "network.mode")}, "what is refused does not run"


# ---- recordings ----

def test_recordings_are_read_again_by_the_detectors_of_another_profile(box):
    hosts = box.file("hosts.jsonl", "".join(connect(None, "151.101.0.%d" % i, 22, i * 1000) for i in range(1, 9)))
    for targets, code in ((9, 0), (8, 1)):  # the threshold alone decides
        profile = box.derive("low", {**BRIDGE, "detectors.port_scanning.targets": targets},
                             kill_switches=["port_scanning"])
        told = judged(box, "--events", hosts, "--profile", profile, "--exit-code", code=code)
        assert (told["runs"], refused(told)) == (1, {("hosts.jsonl", "port_scanning")} if code else set()), told
        assert not refused(judged(box, "--events", CRAWLER, "--profile", profile)), "400 sites, by their names"
    place = box.directory("recordings")
    for name, text in (("a.jsonl", connect("pypi.org", "151.101.0.223", 443)),
                       ("b.jsonl", connect(None, "198.41.0.4", 53)),
                       ("c.jsonl", '{"at_us":900000000,"kind":"end"}\n'), ("notes.txt", "no recording\n")):
        box.file("recordings/" + name, text)
    profile = box.derive("low", {**BRIDGE, "network.allow": ["pypi.org"], "resources.timeout": 600})
    told = judged(box, "--events", place, "--profile", profile)
    assert (told["runs"], refused(told)) == (3, {("b.jsonl", "network"), ("c.jsonl", "resources.timeout")}), told
    done = box.agent("policy", "test", "--events", place, "--risk-level", "high")
    assert done.code == 0 and "a.jsonl" in done.text and "0 decisions, 3 runs, 3 would differ" in done.text, done


@pytest.mark.parametrize("words, needles", [
    (["--events", "recording.jsonl"], ["--profile FILE or --risk-level LEVEL"]),
    (["--events", "recording.jsonl", "--risk-level", "low", "--since", "1h"], ["--since"]),
    (["--events", "absent", "--risk-level", "low"], ["absent"]),
    (["--events", "recording.jsonl", "--risk-level", "low"], ["recording.jsonl:2", "kind: missing"]),
    (["--risk-level", "lax"], ["--risk-level lax", "low, medium and high"]),
    (["--risk-level", "low", "--profile", "p.yaml"], ["either --profile or --risk-level"]),
])
def test_words_that_do_not_fit_and_damaged_recordings_are_refused(box, words, needles):
    path = box.file("recording.jsonl", '{"at_us":1,"kind":"end"}\n{"at_us":2}\n')
    box.agent("policy", "test", *[path if w == "recording.jsonl" else w for w in words]).refused(2, *needles)


# ---- a profile from good runs ----

def test_the_suggested_profile_is_tight_and_the_good_runs_still_pass_under_it(box):
    code = touching(30)
    wide = box.derive("medium", {"logging.audit_syscalls": True})
    good = box.json("python", code, profile=wide, options=["--agent-id", "a"])
    bad = box.json("python", "raise SystemExit(1)", profile=wide, options=["--agent-id", "a"])
    other = box.json("python", "print(1)", options=["--agent-id", "b"])
    assert (good["reason"], bad["reason"], other["reason"]) == ("completed", "error", "completed"), (good, bad, other)
    done = box.agent("policy", "suggest", "--agent", "a")
    assert done.code == 0 and "From 1 good runs of agent a;" in done.text, done
    profile = yaml.safe_load(done.text)
    assert (profile["name"], profile["risk_level"]) == ("suggested", "medium"), profile
    assert profile["network"]["mode"] == "none", profile
    file = box.file("suggested.yaml", done.text)
    assert box.agent("profiles", "check", file).code == 0
    assert not refused(judged(box, "--profile", file, "--agent", "a"))
    again = box.json("python", code, profile=file, options=["--agent-id", "a"])
    assert again["reason"] == "completed", again
    more = box.json("python", touching(200), profile=file, options=["--agent-id", "a"])
    assert more["reason"] == "oom", "it is as wide as before: %r" % more
    box.agent("policy", "suggest", "--agent", "nobody").refused(2, "no good run of agent nobody")
    box.agent("policy", "suggest").refused(2, "for which agent", "--agent ID")


def test_hosts_of_the_good_runs_are_the_suggested_network(box):
    audit = box.file("recorded.jsonl", "".join([
        line("execution-finished", "e1", activity=activity("pypi.org", "151.101.0.223", 443)),
        line("execution-finished", "e2", activity=activity(None, "198.41.0.4", 53)),
        line("execution-finished", "e3", agent="b", activity=activity("other.test", "198.41.0.4", 80))]))
    text = box.agent("policy", "suggest", "--agent", "a", "--audit", audit).text
    assert yaml.safe_load(text)["network"]["allow"] == ["pypi.org:443", "198.41.0.4/32:53"], text
    file = box.file("suggested.yaml", text)
    told = judged(box, "--audit", audit, "--profile", file, "--agent", "a")
    assert (told["runs"], refused(told)) == (2, set()), told
    assert refused(judged(box, "--audit", audit, "--profile", file)) == {("e3", "network")}, "another agent's host"
