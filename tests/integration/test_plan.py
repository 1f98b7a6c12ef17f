"""--dry-run shows the complete resolved plan, runs nothing and writes nothing; and what is written in docs/ is what the
programs say."""
import json
import os
import re
import subprocess

import pytest
import yaml
from helpers import LANGUAGES, LEVELS, MIB, POLICY, PROGRAMS, ROOT, need_language, shipped, size, skip, tree

CASES = [(language, level) for language in LANGUAGES for level in LEVELS
         if not (language in ("go", "rust") and level == "high")]
HELLO = {"python": "print('ran')\n", "node": "console.log('ran');\n", "bash": "echo ran\n",
         "go": "package main\nfunc main() { println(\"ran\") }\n", "rust": "fn main() { println!(\"ran\"); }\n"}


def dry(box, *words):
    done = box.agent("--dry-run", *words)
    assert done.code == 0 and done.err == b"", done
    return done.text


# ---- nothing happens ----

@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_dry_run_runs_nothing_and_writes_nothing(box, options):
    place = box.directory("data")
    code = box.code("open('/data/ran', 'w')\nprint('ran it')\n")
    output = box.dir / "out.txt"
    words = [*options, "--agent-id", "dry", "--volume", "%s:/data:rw" % place, "--output-file", output]
    before = tree(box.dir)
    for language, level in (("python", "low"), ("bash", "medium")):
        done = box.agent("--dry-run", *words, *box.words(language, code, level))
        assert done.code == 0 and "ran it" not in done.text, done
    assert tree(box.dir) == before
    assert not output.exists() and list(place.iterdir()) == []


@pytest.mark.parametrize("language", ["go", "rust"])
def test_a_dry_run_compiles_nothing(box, language):
    need_language(language)
    code = box.code("this does not compile\n", language)
    before = tree(box.dir)
    dry(box, *box.words(language, code))
    assert tree(box.dir) == before


def test_a_dry_run_after_a_run_still_writes_nothing(box):
    code = box.code(HELLO["python"])
    assert box.run("python", code).code == 0
    before = tree(box.dir)
    dry(box, *box.words("python", code))
    assert tree(box.dir) == before


def test_a_dry_run_does_not_read_the_programs_input(box):
    """It would wait for ever on a terminal."""
    r, w = os.pipe()
    try:
        done = box.agent("--dry-run", *box.words("python", HELLO["python"]), "--stdin", "-", stdin=r)
        assert done.code == 0
    finally:
        os.close(r)
        os.close(w)


def test_a_dry_run_refuses_what_the_run_would_refuse(box):
    for words, code, needle in ((["--risk-level", "high", "--", "/bin/true"], 123, "shell_access"),
                                (["--risk-level", "medium", "--memory", "x", "--", "/bin/true"], 2, "--memory"),
                                (box.words("go", HELLO["go"], "high"), 123, "allow_compilation"),
                                (["--language", "python", "--code", "/nonexistent"], 2, "--code"),
                                (["--risk-level", "medium", "--volume", "/etc:/x", "--", "/bin/true"], 123, "/etc"),
                                (["--risk-level", "medium", "--", "no-such-command"], 127, "not found")):
        box.agent("--dry-run", *words).refused(code, needle)
        r = box.agent("--dry-run", "--json", *words).result
        assert r["reason"] in ("policy_denied", "sandbox_error") and r["error"]["message"]


# ---- what it shows ----

PLAN_KEYS = {"risk_level", "program", "argv", "env", "cwd", "mounts", "limits", "network", "seccomp", "missing",
             "values", "workspace_kept"}


@pytest.mark.parametrize("language, level", CASES)
def test_the_plan_of_each_language_and_level(box, language, level):
    need_language(language)
    plan = box.plan(*box.words(language, HELLO[language], level), "--", "an argument")
    assert PLAN_KEYS <= set(plan), PLAN_KEYS - set(plan)
    p = shipped(level)
    assert plan["risk_level"] == level
    if language in ("go", "rust"):
        assert plan["program"] == "/code/main" and plan["argv"] == ["/code/main", "an argument"]
    else:
        assert plan["program"] == os.path.realpath(next(x for x in PROGRAMS[language][0] if os.access(x, os.X_OK)))
        assert (plan["argv"][0] == plan["program"] and plan["argv"][-1] == "an argument"
                and plan["argv"][-2].startswith("/code/main."))
    env = dict(e.split("=", 1) for e in plan["env"])
    assert {"PATH", "HOME", "TMPDIR", "LANG"} <= set(env) and plan["cwd"] in ("/tmp", "/workspace")
    limits = plan["limits"]
    assert (limits["memory_bytes"] == size(p["resources"]["memory"]) and limits["cpu"] == float(p["resources"]["cpu"])
            and limits["pids"] == p["resources"]["pids"])
    assert (limits["timeout_ms"] == p["resources"]["timeout"] * 1000
            and limits["open_files"] == p["execution"]["max_open_files"])
    targets = {m["target"]: m for m in plan["mounts"]}
    assert targets["/tmp"]["kind"] == "tmpfs" and targets["/tmp"]["size_bytes"] <= size(p["filesystem"]["temp_size"])
    assert ("noexec" in targets["/tmp"]["flags"]) is p["filesystem"]["noexec_tmp"]
    for blocked in p["filesystem"]["blocked_paths"]:
        assert blocked not in targets or targets[blocked]["kind"] == "mask", blocked
    assert all("ro" in m["flags"].split() for m in plan["mounts"] if m["kind"] == "bind")
    assert plan["network"]["loopback"] is not p["network"]["disable_loopback"]
    assert (plan["seccomp"]["profile"] == p["security"]["seccomp"] and plan["seccomp"]["instructions"] > 20
            and "ptrace" in plan["seccomp"]["summary"])
    assert set(plan["values"]) >= set(keys_of_docs())
    for key, entry in plan["values"].items():
        assert set(entry) >= {"value", "origin"} and entry["origin"], key


@pytest.mark.parametrize("level", LEVELS)
def test_the_text_for_people_says_the_same(box, level):
    words = box.words("python", HELLO["python"], level)
    text, plan = dry(box, *words), box.plan(*words)
    p = shipped(level)
    assert " ".join(plan["argv"]) in text and "ran" not in text.replace("tranquil", "").split()
    for pair in plan["env"]:
        assert pair in text
    for m in plan["mounts"]:
        assert re.search(r"^ +%s +%s( |$)" % (m["kind"], re.escape(m["target"])), text, re.M), m
    assert re.search(r"memory %s, cpu %s" % (p["resources"]["memory"], re.escape("%g" % float(p["resources"]["cpu"]))),
                     text)
    assert "loopback %s" % ("up" if plan["network"]["loopback"] else "down") in text
    assert re.search(r"^seccomp +%s, %d instructions" % (p["security"]["seccomp"], plan["seccomp"]["instructions"]),
                     text, re.M)
    assert "uid %s" % p["security"]["user"].split(":")[0] in text and "no_new_privs" in text and "landlock" in text
    for key, entry in plan["values"].items():
        assert re.search(r"^ +%s +.*\(%s\)$" % (re.escape(key), re.escape(entry["origin"])), text, re.M), key
    for line in plan["missing"]:
        assert line in text
    for feature in p["security"]["require"]:
        assert re.search(r"^required .*\b%s\b" % feature, text, re.M)


def test_options_and_their_origin_are_shown(box):
    words = box.words("python", HELLO["python"])
    plan = box.plan("--memory", "99m", "--cpu", "0.3", "--timeout", "7", "--env", "MINE=yes", *words)
    assert (plan["limits"]["memory_bytes"] == 99 * MIB and plan["limits"]["cpu"] == 0.3
            and plan["limits"]["timeout_ms"] == 7000 and "MINE=yes" in plan["env"])
    for key, value in (("resources.memory", "99m"), ("resources.cpu", "0.3"), ("resources.timeout", "7s")):
        assert (plan["values"][key]["value"] == value and "option" in plan["values"][key]["origin"]
                or "--" in plan["values"][key]["origin"]), plan["values"][key]
    assert "medium-risk.yaml:" in plan["values"]["resources.storage"]["origin"]


def test_the_origin_of_each_value_is_told(box):
    """Default, profile with file and line, configuration with file and line, option."""
    box.user_config({"sandbox": {"resources": {"high_risk": {"memory": "111m"}}},
                     "languages": {"python": {"blocked_modules": {"high_risk": ["json"]}}}})
    profile = box.file("mine.yaml", "name: mine\nresources:\n  pids: 9\n")
    values = box.plan("--profile", profile, "--cpu", "0.2", "--language", "python", "--code",
                      box.code("pass\n"))["values"]
    assert values["resources.pids"] == {"value": "9", "origin": "%s:3" % profile}
    assert values["name"]["origin"] == "%s:1" % profile
    assert (values["resources.memory"]["value"] == "111m"
            and re.fullmatch(re.escape(str(box.dir)) + r"/config/sandbox-agent/config.yaml:\d+",
                             values["resources.memory"]["origin"]))
    assert ("json" in values["languages.python.blocked_modules"]["value"]
            and "config.yaml:" in values["languages.python.blocked_modules"]["origin"])
    assert values["resources.timeout"]["origin"] == "default" and values["resources.timeout"]["value"] in ("60s", "1m")
    assert re.search("option|--cpu", values["resources.cpu"]["origin"])


def test_volumes_and_commands_are_shown(box):
    place = box.directory("data")
    words = ["--risk-level", "medium", "--volume", "%s:/data:rw" % place, "--volume", "%s:/other" % place, "--",
             "/bin/echo", "a b", "c"]
    plan, text = box.plan(*words), dry(box, *words)
    assert plan["argv"] == ["/bin/echo", "a b", "c"] and plan["program"] == "/bin/echo"
    by_target = {m["target"]: m for m in plan["mounts"]}
    assert by_target["/data"]["source"] == by_target["/other"]["source"] == str(place)
    assert "rw" in by_target["/data"]["flags"] and "ro" in by_target["/other"]["flags"].split()
    assert str(place) in text and re.search(r"volume +/data +rw", text) and re.search(r"volume +/other +ro", text)


def test_what_will_not_be_in_force_is_told_before_the_run(box):
    profile = box.derive("low", monitoring__canaries=["/workspace/.aws/credentials"], filesystem__writable_paths=[])
    plan = box.plan(*box.words("python", HELLO["python"], profile=profile))
    assert any(m.startswith("canaries: ") for m in plan["missing"])


def test_the_plan_is_what_runs(box):
    """What a dry run promised is what the result says afterwards."""
    words = box.words("python", HELLO["python"]) + ["--memory", "123m"]
    plan, r = box.plan(*words), box.agent("--json", *words).result
    limits = r["isolation"]["limits"]
    for key in ("memory_bytes", "cpu", "pids", "timeout_ms", "open_files", "file_size_bytes", "max_processes"):
        assert plan["limits"][key] == limits[key], key
    assert set(plan["missing"]) <= set(r["isolation"]["missing"])


def test_a_plan_prints_control_characters_harmlessly(box):
    words = ["--risk-level", "medium", "--env", "A=\x1b[31mred", "--", "/bin/echo", "two\nlines\x1b[0m"]
    text = dry(box, *words)
    assert "\x1b" not in text
    assert box.plan(*words)["argv"][1] == "two\nlines\x1b[0m"


# ---- documents ----

def docs(page):
    done = subprocess.run([POLICY, "docs", page], capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
    assert done.returncode == 0, done
    return done.stdout


def keys_of_docs():
    return re.findall(r"^\| `([a-z_.]+)` \|", docs("profiles"), re.M)


def normal(text):
    """Without the place of the installation."""
    return text.replace(str(POLICY.parents[2]), "PREFIX")


@pytest.mark.parametrize("page", ["profiles", "configuration"])
def test_the_reference_pages_are_what_the_program_prints(page):
    written = (ROOT / "docs" / (page + ".md")).read_text()
    assert normal(written) == normal(docs(page)), ("docs/%s.md is stale: sandbox-policy docs %s > docs/%s.md"
                                                   % (page, page, page))


def test_the_table_of_system_calls_is_what_the_filters_do():
    done = subprocess.run([POLICY, "syscalls"], capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
    assert done.returncode == 0, done
    path = ROOT / "docs/syscalls.md"
    assert path.exists(), "docs/syscalls.md is missing: sandbox-policy syscalls > docs/syscalls.md"
    if os.uname().machine != "x86_64":
        skip("the table is of x86_64")
    assert normal(path.read_text()) == normal(done.stdout), ("docs/syscalls.md is stale: sandbox-policy syscalls > "
                                                             "docs/syscalls.md")


def test_every_test_that_the_page_names_exists():
    rows = [line for line in docs("profiles").splitlines() if line.startswith("| `")]
    assert len(rows) > 90
    tests = set(re.findall(r"^def (test_\w+)", (ROOT / "tests/integration/test_profile_keys.py").read_text(), re.M))
    named = {}
    for row in rows:
        cells = [c.strip() for c in re.split(r"(?<!\\)\|", row)[1:-1]]
        named[cells[0].strip("`")] = cells[-1].strip("`")
    files = {key: re.findall(r"`?(tests/[\w/.]+)`?", test) for key, test in named.items()}
    missing = {key: test for key, test in named.items() if not files[key] and test not in tests}
    assert not missing, missing
    assert all(test == "test_" + key.replace(".", "_") for key, test in named.items() if not files[key])
    # a program of the watch's tests has the name of what it triggers
    words = {key: re.split(r"\W", key)[-1] for key in named}
    silent = {key: names for key, names in files.items() if names
              and not any(words[key] in (ROOT / name).read_text() for name in names)}
    assert not silent, silent
    import test_profile_keys
    assert ({key for key in files
             if files[key]} <= set(test_profile_keys.ELSEWHERE)), ("a key without a test of its own has one for its "
                                                                   "words")


def test_every_key_is_in_every_shipped_profile_and_every_key_there_is_documented():
    def flat(mapping, prefix=""):
        for k, v in mapping.items():
            if isinstance(v, dict) and prefix + k != "environment.default_env":
                yield from flat(v, prefix + k + ".")
            else:
                yield prefix + k
    # the machine's business: languages.L.default_image
    images = {key for key in keys_of_docs() if key.endswith(".image")}
    for level in LEVELS:
        assert sorted(flat(shipped(level))) == sorted(set(keys_of_docs()) - images), level


def test_the_contract_of_keys_is_kept():
    """The names of the contract, and only named additions beside them."""
    added = {"security.require", "security.seccomp_kill", "security.selinux", "execution.max_output", "execution.grace",
             "network.allow", "network.deny", "filesystem.workspace",
             "network.max_connections", "network.max_connections_per_second", "network.max_bytes",
             "resources.io.rbps", "resources.io.wbps", "resources.io.riops", "resources.io.wiops"}
    keys = set(keys_of_docs())
    assert added <= keys
    for group, names in {"resources": "memory cpu timeout storage pids", "network": "mode dns ports disable_loopback",
                         "execution":
                         "max_processes allow_compilation allow_package_install shell_access max_file_descriptors "
                         "max_file_size max_open_files disable_fork_bomb",
                         "filesystem": "readonly_root temp_size allowed_mounts writable_paths blocked_paths noexec_tmp",
                         "security": "user capabilities.drop capabilities.add no_new_privileges seccomp apparmor "
                                     "read_only_code drop_all_caps mask_proc disable_setuid",
                         "environment": "allow_custom_env default_env restricted_env",
                         "rate_limits": "max_executions_per_hour max_executions_per_day max_jobs_per_hour "
                                        "max_cpu_time_per_hour cooldown_period",
                         "logging": "enabled level output metrics audit_syscalls record_all_output "
                                    "alert_on_violations"}.items():
        mine = {k[len(group) + 1:] for k in keys if k.startswith(group + ".")} - {k.split(".", 1)[1] for k in added
                                                                                  if k.startswith(group + ".")}
        assert mine == set(names.split()), group


# ---- the other commands that read profiles ----

def test_profiles_check_tells_good_from_bad(box):
    good, bad = box.derive("medium"), box.file("bad.yaml", "resources:\n  memory: 1x\n")
    done = box.agent("profiles", "check", good)
    assert done.code == 0 and str(good) in done.text, done
    done = box.agent("profiles", "check", good, bad)
    assert done.code == 2 and "%s:2: resources.memory" % bad in done.words, done
    # one that begins with a section that only a configuration has is read as one
    for text, code, needle in (("warm: {idle: 30}\n", 0, "good, a configuration"),
                               ("warm: {idel: 30}\n", 2, "warm.idle"),
                               ("monitoring: {nothing: 1}\n", 2, "monitoring.nothing")):
        done = box.agent("profiles", "check", box.file("other.yaml", text))
        assert done.code == code and needle in done.text + done.words, done


@pytest.mark.parametrize("level", LEVELS)
def test_profiles_show_prints_every_value_with_its_origin(box, level):
    text = box.agent("profiles", "show", level).text
    assert re.search(r"^  memory: %s  # .*%s-risk.yaml:\d+$" % (shipped(level)["resources"]["memory"], level), text,
                     re.M)
    printed = yaml.safe_load(text)
    assert printed["security"]["user"] == shipped(level)["security"]["user"]
    again = box.file("again.yaml", text)
    assert box.agent("profiles", "check", again).code == 0, "what is printed can be read again"
    as_json = json.loads(box.agent("profiles", "show", level, "--json").text)
    assert as_json


def test_config_show_prints_values_with_their_origin(box):
    box.user_config({"sandbox": {"default_risk_level": "low"}})
    text = box.agent("config", "show").text
    assert re.search(r"default_risk_level: low  # .*config.yaml:\d+",
                     text) and re.search(r"enabled: true  # default", text), text[:500]
