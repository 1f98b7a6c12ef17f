"""The audit's commands, from outside: what a person sees, and that the chain can be checked without us.

Lines come from a small program of our own (audit_lines.c), linked from the modules of sandbox-agent, since what a whole
run writes is tested with the runs.
"""
import hashlib
import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import time

import pytest

from helpers import AGENT, ROOT, Box, only_object, skip

HERE = pathlib.Path(__file__).parent


@pytest.fixture(scope="module")
def writer(tmp_path_factory):
    """-> a program: LOG_DIR STATE_DIR COUNT MAX_BYTES"""
    build = AGENT.parents[1]
    objects = sorted(map(str, (build / "static").glob("*.a")))
    compiler = shutil.which("musl-gcc") or shutil.which("gcc")
    sodium = next(iter(pathlib.Path("/usr/lib").glob("*/libsodium.a")), None)
    if not objects or not compiler or not sodium:
        skip("the test's writer needs the build's archives, a compiler and libsodium.a")
    program = tmp_path_factory.mktemp("writer") / "audit_lines"
    subprocess.run([compiler, "-std=gnu17", "-D_GNU_SOURCE", "-I", str(ROOT / "src"), "-O1", "-static",
                    "-Wl,--gc-sections",
                    str(HERE / "audit_lines.c"), "-Wl,--start-group", *objects, str(sodium), "-Wl,--end-group", "-o",
                    str(program)], check=True)
    return program


@pytest.fixture
def box(writer):
    b = Box()
    b.log_dir.mkdir()
    b.user_config({"sandbox": {"paths": {"log_dir": str(b.log_dir), "state_dir": str(b.dir / "audit-state")}}})

    def write(count=20, max_bytes=1 << 20):
        subprocess.run([writer, b.log_dir, b.dir / "audit-state", str(count), str(max_bytes)], check=True)
    b.write = write
    b.audit = b.log_dir / "audit.jsonl"
    yield b
    b.close()


def lines(box):
    files = sorted(box.log_dir.glob("audit-*.jsonl")) + [box.audit]
    return [json.loads(line) for f in files for line in f.read_text().splitlines()]


def test_lines_have_ecs_names_and_private_files(box):
    box.write(3)
    first, signed, run = lines(box)[:3]
    assert first["event"]["action"] == "audit-opened" and first["agentsandbox"]["chain"]["previous_hash"] == "0" * 64
    assert signed["event"]["action"] == "audit-signed"
    assert run["ecs"]["version"] == "9.1.0" and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z",
                                                             run["@timestamp"])
    assert (run["event"]["category"] == ["process"] and run["event"]["type"] == ["start"]
            and run["event"]["duration"] == 3000000)
    assert (run["event"]["sequence"] == 3 and run["gen_ai"]["agent"]["id"] == "agent-0"
            and run["labels"]["risk_level"] == "low")
    for path in box.log_dir.glob("audit*"):
        assert path.stat().st_mode & 0o077 == 0, path
    assert (box.dir / "audit-state/audit.key").stat().st_mode & 0o777 == 0o600
    assert (box.dir / "audit-state").stat().st_mode & 0o777 == 0o700


def test_the_verifier_in_the_documentation_agrees(box):
    text = (ROOT / "docs/audit.md").read_text()
    program = box.file("verify.py", re.search(r"```python\n(.*?)```", text, re.S).group(1))
    box.write(300, 65536)
    files = sorted(box.log_dir.glob("audit-*.jsonl")) + [box.audit]
    assert len(files) > 2
    done = subprocess.run([sys.executable, program, *files], capture_output=True, text=True)
    last = lines(box)[-1]["event"]
    assert done.stdout.split() == [str(last["sequence"]), last["hash"]], done
    data = files[1].read_bytes()
    files[1].write_bytes(data.replace(b'"agent-3"', b'"agent-4"', 1))
    assert subprocess.run([sys.executable, program, *files], capture_output=True, text=True).returncode == 1


def test_verify_is_quiet_when_all_is_well_and_names_the_line_when_not(box):
    assert box.agent("audit", "verify").text == "there is no audit yet\n"
    box.write(40)
    done = box.agent("audit", "verify")
    assert done.code == 0 and re.match(r"ok: 4\d lines of 1 file, number 1 to 4\d, signed up to \d+\n$",
                                       done.text), done
    data = box.audit.read_bytes().splitlines(True)
    box.audit.write_bytes(b"".join(data[:10] + data[11:]))
    done = box.agent("audit", "verify")
    assert done.code == 1, done
    assert "audit.jsonl:11: line 12: 1 line is missing before this one: number 11 to 11\n" in done.text, done
    found = only_object(box.agent("audit", "verify", "--json").text)
    assert found["ok"] is False and found["problems"][0] == {
        "file": "audit.jsonl", "line": 11, "sequence": 12, "is_note": False,
        "text": "1 line is missing before this one: number 11 to 11"}
    box.audit.write_bytes(b"".join(data[:-2]))
    assert "2 lines are missing at the end" in box.agent("audit", "verify").text
    box.audit.write_bytes(b"".join(data))
    assert box.agent("audit", "verify").code == 0


def test_verify_of_one_file_with_a_key_from_elsewhere(box):
    box.write(300, 65536)
    first = sorted(box.log_dir.glob("audit-*.jsonl"))[1]
    public = (box.dir / "audit-state/audit.pub").read_text().strip()
    copy = box.file("copy.jsonl", first.read_bytes())
    assert box.agent("audit", "verify", "--file", copy, "--public-key", public).code == 0
    other = box.agent("audit", "verify", "--file", copy, "--public-key",
                      public[:-1] + ("0" if public[-1] != "0" else "1"))
    assert other.code == 1 and "signed with the unknown key" in other.text
    box.agent("audit", "verify", "--file", copy, "--public-key", "abc").refused(2, "--public-key abc", "64 hex digits")
    box.agent("audit", "verify", "--file", box.dir / "no").refused(2, "No such file")


def test_a_forger_without_the_key_is_found(box):
    """All hashes made to fit, the head as well: the signatures remain."""
    box.write(60)
    changed, previous = [], "0" * 64
    for line in box.audit.read_bytes().splitlines():
        body = line[:-76].replace(b'"agent-5"', b'"agent-6"')
        for word in re.findall(rb'"signed_hash":"([0-9a-f]{64})"', body):
            body = body.replace(word, previous.encode())
        previous = hashlib.sha256(previous.encode() + body).hexdigest()
        changed.append(body + b',"hash":"' + previous.encode() + b'"}}\n')
    box.audit.write_bytes(b"".join(changed))
    next((box.dir / "audit-state").glob("*.head")).unlink()
    done = box.agent("audit", "verify")
    assert done.code == 1 and "the signature is wrong" in done.text, done


def test_search_by_agent_time_reason_rule_and_action(box):
    box.write(100)
    everything = [x for x in lines(box) if "agent" in x.get("gen_ai", {})]

    def search(*words):
        done = box.agent("audit", "search", "--json", *words)
        assert done.code == 0, done
        return [json.loads(line) for line in done.text.splitlines()]
    assert search("--agent", "agent-3") == [x for x in everything if x["gen_ai"]["agent"]["id"] == "agent-3"]
    assert search("--rule", "scan.reverse-shell") == [x for x in everything if "rule" in x]
    assert search("--reason", "policy_denied", "--limit",
                  "2") == [x for x in everything if x["event"]["reason"] == "policy_denied"][-2:]
    assert len(search("--action", "audit-opened")) == 1
    assert len(search("--since", "1h")) == len(lines(box)) and search("--until", "1h") == []
    assert search("--since", "2100-01-01") == [] and search("--until=%d" % (time.time() - 600)) == []
    assert len(search("--since", lines(box)[5]["@timestamp"])) >= len(lines(box)) - 5
    raw = box.agent("audit", "search", "--json", "--agent", "agent-3").out.splitlines(True)
    assert set(raw) <= set(box.audit.read_bytes().splitlines(True)), "not as they are"
    done = box.agent("audit", "search", "--agent", "nobody")
    assert (done.code, done.text) == (0, "") and "no line" in done.words
    box.agent("audit", "search", "--since", "yesterday").refused(2, "--since yesterday", "how long ago")
    box.agent("audit", "search", "--agnet", "x").refused(2, "--agnet", "--agent")
    box.agent("audit", "serch").refused(2, "tail, search, export, verify and checkpoint")


def test_tables_have_no_colours_in_a_pipe_and_no_control_characters_on_a_terminal(box):
    box.write(10)
    plain = box.agent("audit", "tail", "-n", "5")
    assert "\x1b" not in plain.text and len(plain.text.splitlines()) == 6, plain
    primary, secondary = pty.openpty()
    live = box.start("audit", "tail", "-n", "100", stdout=secondary, env={"TERM": "xterm"})
    os.close(secondary)
    seen = b""
    while True:
        try:
            chunk = os.read(primary, 65536)
        except OSError:
            break
        if not chunk:
            break
        seen += chunk
    os.close(primary)
    live.finish()
    assert b"\x1b[" in seen
    assert b"evil\\x1b[31m" in seen and b"evil\x1b" not in seen, seen


def test_tail_follows_through_rotation(box):
    box.write(5)
    live = box.start("audit", "tail", "-f", "-n", "1", "--json")
    live.wait_for(b"\n")
    box.write(300, 65536)
    want = lines(box)[-1]["event"]["hash"].encode()
    live.wait_for(want)
    live.process.terminate()
    live.finish()
    assert len(list(box.log_dir.glob("audit-*.jsonl"))) >= 2


def test_sign_makes_keys_and_signatures(box):
    key, code = box.dir / "agent.key", box.file("code.py", "print(1)\n")
    public = box.agent("sign", "--generate", key)
    assert re.fullmatch(r"[0-9a-f]{64}\n", public.text) and key.stat().st_mode & 0o777 == 0o600
    box.agent("sign", "--generate", key).refused(2, "File exists", "never overwritten")
    done = box.agent("sign", "--key", key, "--agent-id", "a", "--code", code)
    match = re.fullmatch(r"v1:([0-9a-f]{32}):(\d+):([0-9a-f]{128})\n", done.text)
    assert match and abs(int(match[2]) - time.time()) < 60, done
    assert key.read_text().strip() not in done.text + done.words
    key.chmod(0o644)
    box.agent("sign", "--key", key, "--agent-id", "a", "--code", code).refused(2, "others may read it", "chmod 600")
    box.agent("sign", "--agent-id", "a").refused(2, "--key FILE is missing")


def test_artifacts_are_listed_shown_and_swept(box):
    box.write(0)  # two executions with artifacts
    listed = only_object(box.agent("artifacts", "list", "--json").text)["executions"]
    assert [x["execution_id"] for x in listed] == ["exec-a", "exec-b"] and listed[0]["files"] == 2, listed
    shown = box.agent("artifacts", "show", "exec-a")
    assert re.search(r"^code +8  code\.py$", shown.text,
                     re.M) and re.search(r"^workspace +99999  big  left out: too large$", shown.text, re.M), shown
    manifest = json.loads(box.agent("artifacts", "show", "exec-a", "--json").text)
    assert (manifest["complete"] is False
            and manifest["artifacts"][0]["sha256"] == hashlib.sha256(b"print(1)").hexdigest())
    assert box.agent("artifacts", "show", "exec-a", "code.py").out == b"print(1)"
    assert box.agent("artifacts", "show", "exec-b", "stdout").out == b"out"
    assert box.agent("artifacts", "show", "exec-a", "code/code.py").out == b"print(1)"
    box.agent("artifacts", "show", "exec-a", "workspace/big").refused(2, "was left out")
    box.agent("artifacts", "show", "exec-a", "big").refused(2, "was left out")
    box.agent("artifacts", "show", "../exec-a").refused(2, "is no execution's id")
    box.agent("artifacts", "show", "exec-c").refused(2, "nothing is kept of it")
    assert "removed 0 executions" in box.agent("artifacts", "sweep").text
    os.utime(box.log_dir / "artifacts/exec-a/manifest.json", (1e9, 1e9))
    swept = only_object(box.agent("artifacts", "sweep", "--older-than", "40", "--json").text)
    assert swept == {"executions": 1, "objects": 0, "bytes": 0}, swept  # exec-b shares all of it
    swept = only_object(box.agent("artifacts", "sweep", "--before", "2100-01-01", "--json").text)
    assert swept == {"executions": 1, "objects": 2, "bytes": 11}, swept
    assert only_object(box.agent("artifacts", "list", "--json").text) == {"executions": []}


def test_before_the_first_run_there_is_no_audit_and_that_is_no_error(box):
    if box.log_dir.exists():
        box.log_dir.rmdir()
    for words in (["tail"], ["search"], ["search", "--json"]):
        done = box.agent("audit", *words)
        assert done.code == 0 and done.out == b"" and done.words == "sandbox-agent: there is no audit yet\n", done


def test_records_that_a_full_disk_swallows_are_told(box):
    box.write(1)
    for words in (["audit", "tail"], ["audit", "search"], ["audit", "verify"], ["agents", "list"], ["scan", __file__]):
        with open("/dev/full", "w") as full:
            done = box.start(*words, stdout=full).finish()
        assert done.code == 125 and b"the output cannot be written" in done.err, (words, done.err)


def page_verifies(box, walks):
    """What the operator's page says of the audit: its verifier, bundled, in node."""
    bundler = next((ROOT / "node_modules/@esbuild").glob("linux-*/bin/esbuild"), None)
    node = shutil.which("node", path="/usr/local/bin:/usr/bin:/bin")
    if not bundler or not node:
        skip("the page's verifier needs node and npm's esbuild")
    bundle = box.dir / "verify.mjs"
    subprocess.run([bundler, ROOT / "ui/verify.ts", "--bundle", "--format=esm", "--log-level=error",
                    "--outfile=" + str(bundle)], check=True)
    given = json.dumps({"bundle": str(bundle), "walks": walks})
    done = subprocess.run([node, ROOT / "tests/ui/verify.mjs"], input=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_page_follows_a_rotation_and_an_archive(box):
    """While the page reads, the writer may begin another file, or the operator move the first ones elsewhere."""
    box.write(300, 65536)
    names = [f.name for f in sorted(box.log_dir.glob("audit-*.jsonl"))] + ["audit.jsonl"]
    assert len(names) > 3
    all_lines, pin = lines(box), (box.dir / "audit-state/audit.pub").read_text().strip()
    begin, kept = int(names[1][6:-6]), names[1:]  # of the second file
    before = {"sequence": begin - 1, "hash": all_lines[begin - 2]["event"]["hash"]}
    fresh, holed, liar = box.dir / "fresh", box.dir / "holed", box.dir / "liar"
    for copy in (fresh, holed, liar):
        copy.mkdir()
        for name in names:
            shutil.copy(box.log_dir / name, copy / name)
    (fresh / "audit.jsonl").write_bytes(b"")  # just begun
    (liar / names[1]).write_bytes(b"")  # and listed anew for ever
    at_first, now = [["audit.jsonl"], 1], [names, 1]
    dir_ = str(box.log_dir)
    walks = {
        "rotated": {"dir": dir_, "lists": [at_first, now]},
        "rotated twice": {"dir": dir_, "lists": [at_first, [[names[0], "audit.jsonl"], 1], now]},
        "begun": {"dir": str(fresh), "lists": [at_first, now]},
        "removed": {"dir": str(holed), "lists": [at_first, [[names[0], *names[2:]], 1]]},
        "listed for ever": {"dir": str(liar), "lists": [now]},
        "not told": {"dir": dir_, "lists": [[kept, 1]]},
        "told": {"dir": dir_, "lists": [[kept, begin]], "seen": before},
        "told, another history": {"dir": dir_, "lists": [[kept, begin]], "seen": {**before, "hash": "0" * 64}},
        "seen long ago": {"dir": dir_, "lists": [[kept, begin]], "seen": {"sequence": 3, "hash": "0" * 64}},
        "rewritten": {"dir": dir_, "lists": [now], "seen": {"sequence": 3, "hash": "0" * 64}},
    }
    said = page_verifies(box, {name: {"pin": pin, **walk} for name, walk in walks.items()})
    last = all_lines[-1]["event"]["sequence"]
    for name in ("rotated", "rotated twice", "told", "told, another history", "seen long ago", "rewritten"):
        assert said[name]["problem"] is None and said[name]["last"]["sequence"] == last, (name, said[name])
    assert said["rotated"]["lines"] == len(all_lines) and said["told"]["archived"] == begin - 1
    whole = sum((fresh / n).read_bytes().count(b"\n") for n in names)
    assert said["begun"]["problem"] is None and said["begun"]["lines"] == whole
    for name in ("removed", "listed for ever"):
        problem = said[name]["problem"]
        assert problem and (problem["file"], problem["line"]) == (names[2], 1), (name, problem)
    problem = said["not told"]["problem"]
    assert problem["text"].startswith("the audit begins with line %d" % begin) and problem["line"] == 1
    assert "security.audit_first_line: %d" % begin in problem["advice"]
    told = {name: said[name]["recall"] for name in ("told", "told, another history", "seen long ago", "rewritten")}
    assert told == {"told": "same", "told, another history": "lost", "seen long ago": "archived", "rewritten": "lost"}
