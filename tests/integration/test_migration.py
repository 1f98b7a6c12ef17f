"""The four files of an installation of the original scripts and AGiXT load unchanged and mean what they say:
docs/migration.md.

Twice: with files of our own that have each of the forms (tests/data/agixt), and with the user's, which lie beside the
checkout (../shared/seed) and are no part of the project."""
import json
import os
import pathlib
import re
import shutil
import socket

import pytest
import yaml
from helpers import LANGUAGES, LEVELS, ROOT, need_language, poll, size

HELLO = {"python": "print('hello')\n", "node": "console.log('hello')\n", "bash": "echo hello\n",
         "go": "package main\nimport \"fmt\"\nfunc main() { fmt.Println(\"hello\") }\n",
         "rust": "fn main() { println!(\"hello\"); }\n"}
SEED = next((p for p in (ROOT / "../shared/seed", ROOT / "../../shared/seed") if p.is_dir()), ROOT / "../shared/seed")
PLACES = {"ours": ROOT / "tests/data/agixt", "the user's": SEED}


@pytest.fixture(params=PLACES)
def files(request, box):
    """-> (box, directory of the four); the box's configuration is theirs, with another log directory, and their
    profiles."""
    place = PLACES[request.param].resolve()
    if not place.is_dir():
        pytest.skip("%s is not there: the user's own files are no part of the project" % place)
    own = box.directory("profiles", 0o755)
    for name in [*(level + "-risk.yaml" for level in LEVELS), "sandbox-config.yaml"]:
        shutil.copy(place / name, own / name)
    (box.dir / "config/sandbox-agent").mkdir(parents=True, exist_ok=True)
    shutil.copy(place / "sandbox-config.yaml", box.dir / "config/sandbox-agent/config.yaml")
    box.over = box.file("over.yaml",
                        json.dumps({"sandbox": {"paths": {"log_dir": str(box.log_dir), "state_dir": str(
                            box.dir / "state"), "profiles_dir": str(own)}}}))
    return box, own


def profile_of(own, level):
    return yaml.safe_load((own / (level + "-risk.yaml")).read_text())


def run(box, language, level, *options, code=None):
    return box.agent("--config", box.over, "--json", "--risk-level", level, "--language", language, "--code",
                     box.code(code or HELLO[language], language), *options)


def show(box, own, level):
    return json.loads(box.agent("profiles", "show", own / (level + "-risk.yaml"), "--json", "--config",
                                box.file("empty.yaml", "{}")).text)


def test_all_four_load_unchanged(files):
    box, own = files
    names = [own / (level + "-risk.yaml") for level in LEVELS]
    for name in [*names, own / "sandbox-config.yaml"]:
        done = box.agent("profiles", "check", name)
        assert done.code == 0 and done.text.startswith("%s: good" % name) and not done.words, done
    assert box.agent("profiles", "check", "--config", own / "sandbox-config.yaml", *names).code == 0
    done = box.agent("config", "show", "--config", own / "sandbox-config.yaml", "--json")
    values = json.loads(done.text)["values"]
    asked = yaml.safe_load((own / "sandbox-config.yaml").read_text())
    assert values["sandbox"]["default_risk_level"] == asked["sandbox"]["default_risk_level"] == "medium"
    assert values["monitoring"]["logging"]["output"] == ["/var/log/sandbox/agixt-sandbox.log", "stdout"]
    assert (values["monitoring"]["alerts"]["channels"] == ["log:warn"]
            and values["docker"]["images"]["pull_policy"] == "missing")
    assert values["endpoints"]["api"]["host"] == "0.0.0.0" and values["security"]["require_authentication"] is True
    assert "there is no such directory: the installed profiles are used" in done.words


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_runs_where_its_level_permits_it(files, language):
    box, own = files
    need_language(language)
    for level in LEVELS:
        may = profile_of(own, level)["execution"]["allow_compilation"] or language in ("python", "node", "bash")
        r = run(box, language, level).result
        assert (r["reason"], r["stdout"]) == (("completed", "hello\n") if may else ("policy_denied", "")), r
        assert r["risk_level"] == level


def test_what_they_leave_out_is_of_their_own_level(files):
    box, own = files
    shipped = {level: yaml.safe_load((ROOT / "profiles" / (level + "-risk.yaml")).read_text()) for level in LEVELS}
    for level in LEVELS:
        mine, values = profile_of(own, level), show(box, own, level)["values"]
        for section in ("rate_limits", "monitoring", "execution", "network"):
            for key, value in shipped[level][section].items():
                if key in mine.get(section, {}) or key in ("max_open_files", "max_file_descriptors"):
                    continue
                found = values[section][key]
                if isinstance(value, str):
                    value = {"auto": "auto", "disabled": "disabled",
                             "all": ["all"]}.get(value, found if re.fullmatch(r"\d+(ms|s)", value) else value)
                    value = size(value) if isinstance(value, str) and re.fullmatch(r"\d+[kmg]", value) else value
                assert found == value or (isinstance(value, bool)
                                          and found == str(value).lower()), (level, section, key, found, value)
    low = show(box, own, "low")["values"]
    assert (low["rate_limits"]["max_executions_per_hour"] == 500
            and low["rate_limits"]["cooldown_period"] == 0), "not high's 20 and 300 s"


def test_limits_are_what_they_say(files):
    box, own = files
    for level in LEVELS:
        mine = profile_of(own, level)
        config = yaml.safe_load((own / "sandbox-config.yaml").read_text())["sandbox"]["resources"][level + "_risk"]
        limits = run(box, "bash", level).result["isolation"]["limits"]
        assert limits["memory_bytes"] == size(config["memory"]) and limits["timeout_ms"] == config["timeout"] * 1000
        assert limits["pids"] >= mine["execution"]["max_processes"]
        assert limits["pids"] == mine["resources"].get("pids", limits["pids"])
    r = run(box, "bash", "high", code="ulimit -Sn; ulimit -Hn\n").result
    assert r["stdout"] == "16\n32\n", "of the two numbers the smaller is the soft and the larger the hard limit"
    r = run(box, "bash", "medium", code="ulimit -Sn; ulimit -Hn\n").result
    assert r["stdout"] == "64\n64\n", "one number means both"


def test_many_processes_run_at_low(files):
    box, own = files
    r = run(box, "bash", "low", code="for i in $(seq 40); do sleep 3 & done; jobs -p | wc -l\n").result
    assert (r["reason"], r["stdout"]) == ("completed", "40\n"), r


def test_closed_ports_are_inbound_ones(files):
    """A name server on the loopback, allowed in a copy of the profile: whatever else, ports: [] is not what refuses
    it."""
    box, own = files
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen()
    profile = profile_of(own, "low")
    assert profile["network"]["ports"] == [] and profile["network"]["mode"] == "bridge"
    profile["network"]["allow"] = ["127.0.0.1/32"]
    path = box.file("open.yaml", yaml.safe_dump(profile))
    code = ("import socket\nprint('connected', socket.create_connection(('127.0.0.1', %d), 5) is not None)\n"
            % server.getsockname()[1])
    done = box.agent("--config", box.over, "--profile", path, "--language", "python", "--code", box.code(code))
    assert done.out == b"connected True\n", done
    profile["network"]["deny"] = ["127.0.0.1/32"]
    box.file("open.yaml", yaml.safe_dump(profile))
    assert box.agent("--config", box.over, "--profile", path, "--language", "python", "--code",
                     box.code(code)).code == 1


def test_the_level_without_one_is_medium_and_the_users_patterns_raise_it(files):
    box, own = files
    code = box.code("token = 'x'\nprint(token)\n")
    plain = box.agent("--config", box.over, "--json", "--language", "python", "--code", box.code("print('x')\n")).result
    assert plain["risk_level"] == "medium" and plain["findings"] == []
    risen = box.agent("--config", box.over, "--json", "--language", "python", "--code", code).result
    assert (risen["risk_level"], risen["reason"], risen["violations"]) == ("high", "completed", []), risen
    assert risen["findings"], "and says why"
    scanner = ("import socket\nfor port in range(1, 1025):\n    s = socket.socket()\n"
               "    if s.connect_ex(('10.0.0.5', port)) == 0:\n        print(port)\n")
    refused = box.agent("--config", box.over, "--json", "--language", "python", "--code", box.code(scanner)).result
    assert (refused["reason"] == "policy_denied" and "block_on_detection" in refused["error"]["message"]
            and refused["violations"] == [])


def test_logs_are_where_the_profiles_say_with_their_levels_words(files):
    box, own = files
    for level in LEVELS:
        done = box.agent("--config", box.over, "--risk-level", level, "--agent-id", level + "-agent", "--language",
                         "bash", "--code", box.code(HELLO["bash"], "bash"))
        assert (done.out, done.code) == (b"hello\n", 0), done
        assert "trace" not in done.words and "debug" not in done.words
    names = {level: [p for p in box.logs() if p.name.startswith("%s-risk_%s-agent_" % (level, level))]
             for level in ("low", "medium", "high")}
    texts = {level: found[0].read_text() for level, found in names.items() if found}
    assert all(re.search(r"^={33}\nExecution Summary\n={33}\nAgent ID: .*\nDuration: \d+s\nTimestamp: \d{4}-\d\d-\d\d "
                         r"\d\d:\d\d:\d\d\n={33}\n\Z", t, re.M | re.S) for t in texts.values())
    trace = box.agent("--config", box.over, "--risk-level", "high", "--language", "bash", "--code",
                      box.code(HELLO["bash"], "bash"))
    log = max(box.log_dir.glob("high-risk_anonymous_*.log"), key=lambda p: p.stat().st_mtime_ns).read_text()
    assert trace.words == "" and "trace: launch  EXEC" in log and "debug: level: " in log


def test_the_agixt_log_has_a_line_of_json_for_each_event(files):
    box, own = files
    first = run(box, "bash", "medium").result
    second = run(box, "bash", "medium", code="exit 3\n").result
    third = box.agent("--config", box.over, "--json", "--risk-level", "high", "--", "/bin/true").result
    lines = [json.loads(line) for line in (box.log_dir / "agixt-sandbox.log").read_text().splitlines()]
    assert [(x["event"], x["execution_id"]) for x in lines] == [
        ("execution_started", first["execution_id"]), ("execution_completed", first["execution_id"]),
        ("execution_started", second["execution_id"]), ("execution_failed", second["execution_id"]),
        ("execution_failed", third["execution_id"])], lines
    assert lines[1]["exit_code"] == 0 and lines[3]["exit_code"] == 3 and lines[3]["reason"] == "error"
    assert lines[4]["reason"] == "policy_denied" and lines[4]["level"] == "warn" and lines[4]["error"]
    assert all({"time", "level", "event", "agent_id", "language", "risk_level"} <= set(x) for x in lines)
    done = box.agent("--config", box.over, "--risk-level", "medium", "--language", "bash", "--code",
                     box.code(HELLO["bash"], "bash"))
    assert (done.out, done.words) == (b"hello\n", ""), "stdout: true is the service's: here stdout is the program's"


def test_without_it_there_is_no_agixt_log(box):
    assert box.command("/bin/true").code == 0
    assert not list(box.log_dir.glob("agixt*"))


def test_an_absent_directory_of_profiles_is_said_and_the_installed_ones_hold(files):
    box, own = files
    config = box.file("absent.yaml",
                      json.dumps({"sandbox": {"paths": {"log_dir": str(box.log_dir),
                                                        "state_dir": str(box.dir / "state")}}}))
    words = ["--config", config, "--language", "bash", "--code", box.code(HELLO["bash"], "bash")]
    for _ in range(2):  # the second from the policy cache
        done = box.agent(*words)
        assert ((done.code, done.out) == (0, b"hello\n")
                and done.words.count("there is no such directory: the installed profiles are used") == 1), done
    assert box.agent("--log-level", "error", *words).words == ""
    place = pathlib.Path(yaml.safe_load((own / "sandbox-config.yaml").read_text())["sandbox"]["paths"]["profiles_dir"])
    assert not place.exists() and str(place) in done.words


def test_compiling_is_forbidden_at_high_only(files):
    box, own = files
    need_language("go")
    profile = profile_of(own, "high")
    profile["execution"]["allow_compilation"] = True
    path = box.file("compiles.yaml", yaml.safe_dump(profile))
    done = box.agent("--config", box.over, "--profile", path, "--language", "go", "--code", box.code(HELLO["go"], "go"))
    done.refused(123, "languages.go.allow_compilation")
    assert box.agent("--config", box.over, "--risk-level", "low", "--language", "go", "--code",
                     box.code(HELLO["go"], "go")).out == b"hello\n"


def test_an_ordinary_user_has_the_logs_where_it_may_write(files):
    """The files name /var/log/sandbox, which is the standard place: where it cannot be written, the user's own is used,
    also for the rest."""
    box, own = files
    if os.geteuid() == 0 or os.access("/var/log/sandbox", os.W_OK):
        pytest.skip("/var/log/sandbox can be written by this user: the run's logs would be there")
    config = box.file("state.yaml",
                      json.dumps({"sandbox": {"paths": {"state_dir": str(box.dir / "state"),
                                                        "profiles_dir": str(own)}}}))
    r = box.agent("--config", config, "--json", "--risk-level", "medium", "--language", "bash", "--code",
                  box.code(HELLO["bash"], "bash")).result
    place = box.dir / "state/sandbox-agent/log"
    assert (r["reason"] == "completed" and list(place.glob("medium-risk_anonymous_*.log"))
            and (place / "agixt-sandbox.log").exists()), r
    assert not poll(lambda: not (place / "artifacts" / r["execution_id"] / "manifest.json").exists())


def test_every_mapping_is_in_the_table():
    """Each key and option that the files and scripts have another word for has its row in docs/migration.md, and that
    has one table only for each kind."""
    text = (ROOT / "docs/migration.md").read_text()
    for word in ("logging.output", "max_processes", "max_open_files", "max_file_descriptors",
                 "monitoring.logging.output", "alerts.channels", "pull_policy",
                 "profiles_dir", "ports: []", "allow_compilation", "block_on_detection", "agixt-sandbox.log",
                 "default_risk_level", "logging.level",
                 "--output-file", "--agent-id", "--volume", "Execution Summary", "Duration", "usage error"):
        assert word in text, word
