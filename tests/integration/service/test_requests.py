"""What a request may ask for and how it is told what is wrong: limits, volumes, languages, agent ids. Each error names
the field in the API's own words, and no value of the caller's is taken for one of ours."""
import contextlib
import sqlite3
import urllib.parse

import helpers
import pytest
from service import Service, error_of

ONLY_OPTIONS = ("--timeout", "--memory", "--cpu", "--volume", "--env", "--code", "--agent-id", "--risk-level",
                "--language", "--signature", "--stdin", "--backend",
                "use --profile with a profile")


@pytest.fixture(scope="module")
def service():
    with Service({"rate_limiting": {"enabled": False}}) as s:
        yield s


# ---- limits: against the level that the run gets ----

def clamped(result):
    return {c["field"]: (c["requested"], c["granted"]) for c in result.get("limits_clamped", ())}


@pytest.mark.parametrize("seconds", [100, 600, 3600], ids=["medium's", "OpenAI's adapter", "AGiXT's terminal"])
def test_a_limit_above_the_levels_is_lowered_to_it_and_the_result_says_so(service, seconds):
    r = service.run("print(1)", agent_id="limits-%d" % seconds, limits={"timeout": seconds, "memory": "4g", "cpu": 8})
    limits = r["isolation"]["limits"]
    most = {"high": (60, 128, 0.25), "medium": (120, 256, 0.5), "low": (300, 512, 1.0)}[r["risk_level"]]
    assert (limits["timeout_ms"], limits["memory_bytes"], limits["cpu"]) == (min(seconds, most[0]) * 1000,
                                                                             most[1] << 20, most[2])
    want = {"memory": (4 << 30, most[1] << 20), "cpu": (8, most[2])}
    if seconds > most[0]:
        want["timeout"] = (seconds, most[0])
    assert clamped(r) == want and (r["reason"], r["error"]) == ("completed", None)


def test_a_trusted_agents_limits_are_those_of_the_level_that_it_gets_not_of_the_default(service):
    """The default level is medium, 120 s: an agent that is trusted runs at low, and gets 300."""
    assert service.request("POST", "/agents/well-known/quarantine",
                           json={"reason": "so that it is known"}).status_code == 200
    assert service.request("POST", "/agents/well-known/release", json={"reason": "a test"}).status_code == 200
    assert service.request("PATCH", "/agents/well-known", json={"trust": 0.95, "reason": "a test"}).status_code == 200
    r = service.run("print(1)", agent_id="well-known", limits={"timeout": 250})
    assert (r["risk_level"], r["isolation"]["limits"]["timeout_ms"], clamped(r)) == ("low", 250000, {})


@pytest.mark.parametrize("level, limits, field",
                         [("high", {"timeout": 61}, "limits.timeout"), ("medium", {"memory": "257m"}, "limits.memory"),
                          ("low", {"cpu": 1.001}, "limits.cpu")])
def test_strict_limits_refuse_what_would_be_lowered(service, level, limits, field):
    key = service.override()
    error = error_of(service.execute("print(1)", risk_level=level, limits=limits, strict_limits=True, key=key), 422,
                     "invalid_value")
    assert (error["details"]["field"] == field and error["details"]["rule"] == "strict_limits"
            and "level " + level in error["message"]), error
    assert error["message"].startswith(field + ": ")
    assert clamped(service.run("print(1)", risk_level=level, limits={"timeout": 50}, strict_limits=True, key=key)) == {}


def test_strict_limits_of_an_asynchronous_execution_end_it_with_the_error(service):
    e = service.finished(service.submit("print(1)", risk_level="high", limits={"timeout": 61}, strict_limits=True))
    assert e["result"]["reason"] == "sandbox_error" and e["result"]["error"]["field"] == "limits.timeout", e


# ---- errors: in the API's words, with the caller's values as they are ----

@pytest.mark.parametrize("value", ONLY_OPTIONS)
@pytest.mark.parametrize("body, field", [
    ({"limits": {"memory": "%"}}, "limits.memory"), ({"limits": {"timeout": "%"}}, "limits.timeout"),
    ({"limits": {"cpu": "%"}}, "limits.cpu"),
    ({"env": {"A %": "x"}}, "env"), ({"agent_id": "% \u200b"}, "agent_id"),
    ({"files": [{"path": "main.sh", "content": "true"}, {"path": "% /../x", "content": ""}], "code": None},
     "files[1].path"),
    ({"volumes": [{"host": "/%/../x", "inside": "/w"}]}, "volumes[0].host"), ({"risk_level": "%"}, "risk_level"),
    ({"backend": "%"}, "backend"), ({"language": "%"}, "language"),
], ids=lambda v: v if isinstance(v, str) else "")
def test_an_error_names_its_field_and_leaves_the_callers_value_alone(service, body, field, value):
    def fill(v):
        if isinstance(v, dict):
            return {k.replace("%", value): fill(x) for k, x in v.items()}
        if isinstance(v, list):
            return [fill(x) for x in v]
        return v.replace("%", value) if isinstance(v, str) else v
    asked = {"language": "bash", "code": "true", **fill(body)}
    answer = service.request("POST", "/execute", json={k: v for k, v in asked.items() if v is not None})
    error = answer.json()["error"]
    assert (answer.status_code == 422 and error["details"]["field"] == field
            and error["message"].startswith(field)), answer.text
    said = error["message"].replace(value, "") + error["details"].get("remedy", "")
    assert "--" not in said, error
    if field.startswith(("limits", "env")):
        assert value in error["message"], error


def test_a_profile_that_refuses_says_so_without_words_of_the_command_line(service):
    error = error_of(service.execute("true", "bash", risk_level="high", env={"--env": "1"}), 422, "invalid_value")
    assert error["message"].startswith("env --env=1: ")
    error = error_of(service.execute("true", "bash", risk_level="high", env={"GOOD": "--volume"}), 403, "policy_denied")
    assert "leave out env" in error["details"]["remedy"] and "--" not in error["details"]["remedy"]
    error = error_of(service.execute("package main", "go", risk_level="high"), 403, "policy_denied")
    assert "risk_level" in error["details"]["remedy"] and "--" not in error["details"]["remedy"]


# ---- volumes ----

def test_a_volume_may_have_colons_in_its_path(service):
    place = service.directory("gates/a:b:rw")
    (place / "note").write_text("found")
    r = service.run("cat /in:side/note", "bash", risk_level="low",
                    volumes=[{"host": str(place), "inside": "/in:side", "mode": "ro"}])
    assert (r["reason"], r["stdout"]) == ("completed", "found"), r
    r = service.run("echo written > /w/new", "bash", risk_level="low",
                    volumes=[{"host": str(place), "inside": "/w", "mode": "rw"}])
    assert r["reason"] in ("completed", "error"), r  # the uid inside may not be the directory's owner
    error = error_of(service.execute("true", "bash", volumes=[{"host": "/etc:/x", "inside": "/w"}]), 422,
                     "invalid_value")
    assert error["details"]["field"] == "volumes[0].host"


# ---- languages ----

@pytest.mark.parametrize("word, name, code", [("Python", "python", "print('hi')"), ("py", "python", "print('hi')"),
                                              ("PYTHON3", "python", "print('hi')"),
                                              ("javascript", "node", "console.log('hi')"),
                                              ("JS", "node", "console.log('hi')"),
                                              ("nodejs", "node", "console.log('hi')"),
                                              ("sh", "bash", "echo hi"), ("Shell", "bash", "echo hi"),
                                              ("GoLang", "go", None), ("rs", "rust", None)])
def test_a_language_has_aliases_and_results_have_its_one_name(service, word, name, code):
    assert service.request("POST", "/scan", json={"language": word, "code": code or "x"}).json()["language"] == name
    if code:
        r = service.run(code, word, risk_level="medium")
        assert (r["language"], r["stdout"]) == (name, "hi\n")
        assert service.execution(r["execution_id"])["language"] == name
    else:
        error = error_of(service.execute("x", word, risk_level="high"), 403, "policy_denied")
        assert error["message"].startswith(name + " has to be compiled"), error


# ---- null and empty ----

def test_a_member_that_is_null_is_as_if_it_were_not_there(service):
    r = service.request("POST", "/execute", json={"language": "bash", "code": "echo hi", "risk_level": "medium",
                                                  "backend": None, "agent_id": None, "limits": None, "volumes": None,
                                                  "env": None, "stdin": None, "args": None, "strict_limits": None,
                                                  "stream": None, "signature": None, "files": None})
    assert r.status_code == 200 and r.json()["stdout"] == "hi\n" and r.json()["backend"] == "native", r.text


@pytest.mark.parametrize("path, status", [("/agents?after=", 200), ("/agents?after=%00", 422),
                                          ("/agents?after=%0a", 422), ("/agents?after=" + "x" * 129, 422),
                                          ("/agents?after=zzz", 200),
                                          ("/agents?after=%E2%80%8B", 200), ("/executions?before=", 200),
                                          ("/executions?before=%0a", 200), ("/executions?agent_id=", 200),
                                          ("/executions?agent_id=%0a", 200), ("/audit?agent=", 200),
                                          ("/audit?agent=%0a", 200), ("/agents/%0a", 404), ("/agents/a%E2%80%AEb", 404),
                                          ("/executions/%0a", 404)])
def test_odd_parameters_are_answered_as_documented(service, path, status):
    answer = service.request("GET", path)
    assert answer.status_code == status or (status == 422 and "%00" in path and answer.status_code == 400), answer.text


# ---- agent ids ----

ODD = ["a b", " a", "a\tb", "a\nb", "a\u00a0b", "a\u3000b", "a\u200bb", "a\u2060b", "\ufeffa", "a\u202eb", "a\u2066b",
       "a\x7fb", "a\u0085b", "\u00e9", "e\u0301", "\u0430dmin", "", "x" * 129]


@pytest.mark.parametrize("agent", ODD, ids=ascii)
def test_an_agent_id_has_one_alphabet_wherever_it_is_given(service, agent):
    for submit in ("/execute", "/executions"):
        error = error_of(service.request("POST", submit, json={"language": "bash", "code": "true", "agent_id": agent}),
                         422, "invalid_value")
        assert error["details"]["field"] == "agent_id", error
    assert service.request("POST", "/keys", json={"name": "odd", "role": "run", "agents": [agent]}).status_code == 422
    quoted = urllib.parse.quote(agent, safe="")
    if quoted:
        for verb in ("quarantine", "ban"):
            assert service.request("POST", "/agents/%s/%s" % (quoted, verb),
                                   json={"reason": "a test"}).status_code in (404, 422)
        assert service.request("GET", "/agents/" + quoted).status_code == 404


def test_agents_from_before_the_alphabet_can_be_shown_released_and_banned_but_run_nothing(make_service):
    s = make_service()
    s.run("print(1)", agent_id="before")
    s.stop()
    old = "gr\u00f6\u00dfe von fr\u00fcher"
    with contextlib.closing(sqlite3.connect(s.state_dir / "state.db")) as db:
        db.execute("UPDATE agents SET id = ? WHERE id = 'before'", (old,))
        db.commit()
    s.start()
    quoted = urllib.parse.quote(old)
    assert s.request("GET", "/agents/" + quoted).json()["agent_id"] == old
    assert old in [a["agent_id"] for a in s.request("GET", "/agents").json()["agents"]]
    assert s.request("POST", "/agents/%s/quarantine" % quoted,
                     json={"reason": "a test"}).json()["standing"] == "quarantined"
    assert s.request("POST", "/agents/%s/release" % quoted, json={"reason": "a test"}).json()["standing"] == "good"
    assert s.request("POST", "/agents/%s/ban" % quoted, json={"reason": "a test"}).json()["standing"] == "banned"
    error_of(s.execute("print(1)", agent_id=old), 422, "invalid_value")
