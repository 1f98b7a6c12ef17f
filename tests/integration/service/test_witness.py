"""Witnesses: the tree over the audit's lines, and a second machine that notices another history."""
import base64
import hashlib
import json
import re
import struct
import subprocess

import helpers
import load
import pytest
from service import BASE, Service, error_of

RECEIPTS = (helpers.ROOT / "docs/verify_receipt.py").read_text()
ED25519 = {}
exec(RECEIPTS[RECEIPTS.index("import base64"):RECEIPTS.index("envelope = ")], ED25519)  # its Ed25519, in Python alone


# ---- RFC 6962, 2.1, from its text ----

def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def split(n):
    return 1 << (n - 1).bit_length() - 1


def root(leaves):
    if len(leaves) < 2:
        return leaves[0] if leaves else sha256()
    k = split(len(leaves))
    return sha256(b"\1", root(leaves[:k]), root(leaves[k:]))


def path(m, leaves):
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    return path(m, leaves[:k]) + [root(leaves[k:])] if m < k else path(m - k, leaves[k:]) + [root(leaves[:k])]


def subproof(m, leaves, is_own):
    if m == len(leaves):
        return [] if is_own else [root(leaves)]
    k = split(len(leaves))
    if m <= k:
        return subproof(m, leaves[:k], is_own) + [root(leaves[k:])]
    return subproof(m - k, leaves[k:], False) + [root(leaves[:k])]


def leaves_of(service):
    rotated = sorted(service.log_dir.glob("audit-*.jsonl"), key=lambda f: int(f.stem[6:]))
    files = [*rotated, service.log_dir / "audit.jsonl"]
    return [sha256(b"\0", line) for f in files
            for line in f.read_bytes().split(b"\n")[:-1] if line.endswith(b'"}}')]  # others: cut by a kill


# ---- C2SP notes, from their text ----

class Note:
    def __init__(self, text):
        self.text, signatures = text.split("\n\n", 1)
        self.text += "\n"
        self.origin, size, rest = self.text.split("\n", 2)
        self.size, self.root = int(size), base64.b64decode(rest.strip(), validate=True)
        self.signatures = {}
        for line in signatures.splitlines():
            dash, name, value = line.split(" ")
            assert dash == "\N{EM DASH}", line
            self.signatures[name] = base64.b64decode(value, validate=True)

    def is_signed(self, name, public, algorithm):
        value = self.signatures[name]
        assert value[:4] == sha256(name.encode(), b"\n", bytes([algorithm]), public)[:4]
        text, signature = self.text.encode(), value[4:]
        if algorithm == 4:
            (seconds,), signature = struct.unpack(">Q", value[4:12]), value[12:]
            text = b"cosignature/v1\ntime %d\n" % seconds + text
        return ED25519["is_signed"](public, text, signature)


def get(service, path):
    answer = service.request("GET", "/audit/" + path)
    assert answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/plain"), answer.text
    return answer.text


def proof(service, path):
    return [base64.b64decode(line) for line in get(service, path).splitlines()]


class Witness:
    """`sandbox-agent witness`, as on another machine: a directory of its own."""

    def __init__(self, service, place):
        self.service, self.place, self.state = service, place, place / "witness"
        self.key_file, self.file = place / "key", place / "cosigned"
        self.key_file.write_text(service.new_key("read") + "\n")
        self.log_key = (service.state_dir / "audit.pub").read_text().strip()
        self.words = None

    def command(self, *more, url=None, log_key=None):
        return [helpers.AGENT, "witness", "--url", url or self.service.url + BASE,
                "--log-key", log_key or self.log_key, "--state", self.state, "--key-file", self.key_file, *more]

    def look(self, *more, **less):
        done = subprocess.run(self.command(*more, **less), capture_output=True, text=True, env=self.service.env)
        found = re.search(r"witness: (sandbox-agent/witness/\S+)", done.stderr)
        self.words = found.group(1) if found else self.words
        return done

    def sign(self):
        done = self.look()
        assert done.returncode == 0, done
        self.file.write_text(done.stdout)
        return Note(done.stdout)

    def verify(self, *more):
        """`audit verify` on the first machine, with what the witness has signed"""
        words = [helpers.AGENT, "audit", "verify", "--config", self.service.config_path, *more]
        return subprocess.run(words, capture_output=True, text=True, env=self.service.env)

    def verify_witnessed(self, *more):
        return self.verify("--witness", self.file, "--witness-key", self.words, *more)


@pytest.fixture
def service():
    with Service({**load.UNLIMITED, "security": {"audit_max_size": "64k"}}) as s:
        yield s


def runs(service, n):
    for _ in range(n):
        service.run("true", "bash", agent_id="a")


def test_proofs_are_those_of_another_implementation_across_files_and_a_kill(service):
    runs(service, 12)
    service.kill9()
    service.start()
    rotated = service.log_dir.glob
    assert not helpers.poll(lambda: runs(service, 5) or not list(rotated("audit-*.jsonl")), 120, 0), "one file"
    note = Note(get(service, "checkpoint"))
    leaves = leaves_of(service)[:note.size]
    assert note.size == len(leaves) > 40 and note.root == root(leaves)
    public = bytes.fromhex((service.state_dir / "audit.pub").read_text())
    assert note.origin == "sandbox-agent/audit/" + public.hex()[:16] and note.is_signed(note.origin, public, 1)
    assert (service.log_dir / "audit.checkpoint").read_text() == get(service, "checkpoint")
    for size in (1, 2, 7, 8, 31, len(leaves)):
        for old in {1, 2, 3, size // 2 or 1, size - 1 or 1, size} - set(range(size + 1, 10)):
            first = leaves[:size]
            assert proof(service, "consistency?from=%d&to=%d" % (old, size)) == subproof(old, first, True), (old, size)
            assert proof(service, "inclusion?sequence=%d&size=%d" % (old, size)) == path(old - 1, first), (old, size)
    for wrong in ("consistency?from=2&to=1", "consistency?from=1", "inclusion?sequence=0&size=3",
                  "inclusion?sequence=1&size=%d" % (len(leaves) + 10**6)):
        error_of(service.request("GET", "/audit/" + wrong), 422, "invalid_value")
    error_of(service.request("GET", "/audit/consistency?old=1&to=2"), 400, "invalid_request")


def rewrite_history(service, count):
    """What a holder of the key can do: other lines, chained and signed as they should be."""
    service.stop()
    for f in [*service.log_dir.glob("audit*"), *service.state_dir.glob("*.head")]:
        if not f.name.endswith(".lock"):
            f.unlink()
    service.start()
    runs(service, count)


def test_a_witness_signs_a_history_that_grows_and_refuses_another_one(service, tmp_path):
    w = Witness(service, tmp_path)
    runs(service, 3)
    first = w.sign()
    name, _, key = w.words.split("+", 2)  # base64 has this sign, too
    public = base64.b64decode(key, validate=True)[1:]
    assert first.is_signed(name, public, 4) and first.is_signed(first.origin, bytes.fromhex(w.log_key), 1)
    assert (w.state / "witness.key").stat().st_mode & 0o777 == 0o600
    runs(service, 3)
    second = w.sign()
    assert second.size > first.size and second.is_signed(name, public, 4)
    runs(service, 1)
    assert w.verify().returncode == 0
    done = w.verify_witnessed("--json")
    assert done.returncode == 0 and json.loads(done.stdout)["ok"] is True, done  # it grew since: that is honest
    # who asks with the wrong key, or for what is no log, is refused before anything is remembered
    assert w.look(log_key="00" * 32).returncode == 1
    before = helpers.tree(w.state)
    for count, what in ((1, "shorter"), (20, "another one than it was")):
        rewrite_history(service, count)
        assert w.verify().returncode == 0  # whoever looks at the machine alone sees nothing
        done = w.look()
        assert done.returncode == 1 and what in done.stderr and not done.stdout, done
        assert helpers.tree(w.state) == before  # the last good one stays
        done = w.verify_witnessed()
        found = "history was written anew" if count > 1 else "the witness saw %d lines" % second.size
        assert done.returncode == 1 and found in done.stdout, done


def test_only_the_witness_own_signature_counts(service, tmp_path):
    w = Witness(service, tmp_path)
    runs(service, 2)
    w.sign()
    assert w.verify_witnessed().returncode == 0
    signed = w.file.read_text()
    rewrite_history(service, 2)
    w.file.write_text(get(service, "checkpoint"))  # of the rewritten history, by the log's key
    done = w.verify_witnessed()
    assert done.returncode == 1 and "no witness with this key has signed it" in done.stdout, done
    own_line = signed.splitlines()[-1]
    w.file.write_text(get(service, "checkpoint") + own_line + "\n")  # with the witness' signature of the other history
    assert w.verify_witnessed().returncode == 1
    assert w.verify("--witness", w.file).returncode == 2 and w.verify("--witness-key", w.words).returncode == 2
    assert w.verify("--witness", w.file, "--witness-key", "x").returncode == 2
    w.file.write_text("nothing")
    assert w.verify_witnessed().returncode == 2


def test_a_witness_that_was_tampered_with_does_not_begin_anew(service, tmp_path):
    w = Witness(service, tmp_path)
    runs(service, 1)
    w.sign()
    last = w.state / "last.checkpoint"
    kept = last.read_bytes()
    last.write_bytes(kept.replace(b"\n", b"\n1", 1))
    done = w.look()
    assert done.returncode == 125 and "not what this witness wrote" in done.stderr, done
    last.write_bytes(kept)
    assert w.look().returncode == 0
    assert w.look("--every", "0").returncode == 2 and w.look("--log-key", "12").returncode == 2
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(w.command("--every", "1"), env=service.env, **quiet) as p:
        seen = 0
        for line in p.stdout:
            seen += w.words.split("+")[0].encode() in line
            if seen == 2:  # again and again; and no second one beside it
                assert "another witness works there" in w.look().stderr
                p.terminate()
    assert seen == 2
    service.stop()
    assert w.look(url="http://127.0.0.1:1").returncode == 125
    assert w.look(url="http://192.0.2.1:1").returncode == 2  # the key in the clear


def test_the_checkpoint_on_the_command_line_is_the_services(service):
    runs(service, 1)
    words = [helpers.AGENT, "audit", "checkpoint", "--config", service.config_path]
    done = subprocess.run(words, capture_output=True, text=True, env=service.env)
    assert done.returncode == 0, done
    note = Note(done.stdout)
    told = json.loads(subprocess.run([*words, "--json"], capture_output=True, text=True, env=service.env).stdout)
    assert done.stdout == get(service, "checkpoint") == told["note"]
    assert (told["origin"], told["size"], told["root"]) == (note.origin, note.size, note.root.hex())
    (service.log_dir / "audit.tree").unlink()
    assert Note(get(service, "checkpoint")).root == note.root  # made again from the lines
