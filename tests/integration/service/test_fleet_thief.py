"""A thief has a node: its files, its audit's key and its role in the database. What it tries, and that it is named and
cut off all the same; and that none of it makes another node look like a liar (docs/fleet.md, "A stolen node")."""
import base64
import contextlib
import hashlib
import json
import os
import subprocess

import helpers
import pytest
from test_fleet_owner import command
from test_fleet_witness import (alerts, await_alert, await_signed, database, found, log_of, node, nodes, signed,
                                verdicts)

__all__ = ["database", "nodes"]


@contextlib.contextmanager
def thief_of(database, role, *commands):
    """A session of that role, in a transaction in which these were done."""
    argv = [database.programs / "psql", "-h", database.dir, "-U", role, "-d", "postgres", "-Atq"]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **database.as_user()) as p:
        helpers.residents.add(p.pid)
        p.stdin.write("\\set ON_ERROR_STOP on\nBEGIN;\n%s\n\\echo done\n" % "\n".join(commands))
        p.stdin.flush()
        said = p.stdout.readline()
        assert said == "done\n", said
        yield p
        with contextlib.suppress(BrokenPipeError):
            p.stdin.close()
        p.wait(30)
        helpers.residents.discard(p.pid)


class Forger:
    """Signs what it likes with a node's key, and puts it into the database with the node's role."""

    def __init__(self, database, service):
        self.database, self.role, self.log = database, service.name, log_of(service)
        self.seed = bytes.fromhex((service.state_dir / "audit.key").read_text().strip())
        self.place = service.dir

    def sign(self, text):
        (self.place / "forged.key").write_bytes(bytes.fromhex("302e020100300506032b657004220420") + self.seed)
        (self.place / "forged").write_bytes(text)
        return subprocess.run(["openssl", "pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey",
                               self.place / "forged.key", "-in", self.place / "forged"], check=True,
                              capture_output=True).stdout

    def line(self, kind, algorithm, text, tagged=b"", signed_before=b""):
        name = "sandbox-agent/%s/%s" % (kind, self.log[:16])
        key_id = hashlib.sha256(name.encode() + b"\n" + bytes([algorithm]) + bytes.fromhex(self.log)).digest()[:4]
        signature = self.sign(signed_before + text.encode())
        return "\u2014 %s %s\n" % (name, base64.b64encode(key_id + tagged + signature).decode())

    def checkpoint(self, size, root=None, more=""):
        text = "sandbox-agent/audit/%s\n%d\n%s\n%s" % (self.log[:16], size,
                                                     base64.b64encode(root or os.urandom(32)).decode(), more)
        return text + "\n" + self.line("audit", 1, text)

    def cosigned(self, note, seconds=1800000000):
        """As if it were a witness."""
        text = note[:note.index("\n\n") + 1]
        return note + self.line("witness", 4, text, seconds.to_bytes(8, "big"),
                                b"cosignature/v1\ntime %d\n" % seconds)

    def tell(self, sql):
        """Once more where it came within the slot of the row before."""
        said = []
        assert not helpers.poll(lambda: said.insert(0, ask_as(self.database, self.role, sql)) or
                                "_by_slot" in said[0][1], 5)
        assert said[0][0] == 0, said[0][1]

    def live(self):
        self.tell("UPDATE nodes SET seen_ms = extract(epoch FROM clock_timestamp()) * 1000")

    def anchor(self, size, note, proofs=""):
        self.live()
        self.tell("INSERT INTO anchors(node, log, size, note, proofs) VALUES('%s', '%s', %d, '%s', '%s')"
                  % (self.role, self.log, size, note, proofs))

    def cosign(self, log, size, note):
        self.tell("INSERT INTO cosignatures(log, witness, size, note) VALUES('%s', '%s', %d, '%s')"
                  % (log, self.role, size, note))


def ask_as(database, role, sql):
    said = database.run("psql", "-h", database.dir, "-U", role, "-d", "postgres", "-Atqc", sql)
    return said.returncode, said.stdout + said.stderr


@pytest.mark.parametrize("lock", ["UPDATE nodes SET version = 'mine' WHERE name = 'holder';",
                                  "LOCK TABLE nodes IN ACCESS EXCLUSIVE MODE;",
                                  "LOCK TABLE agents, runs, executions IN ACCESS EXCLUSIVE MODE;",
                                  "ALTER ROLE holder PASSWORD 'mine';"],
                         ids=["its-row", "the-registry", "all-runs", "its-password"])
def test_locks_that_a_thief_holds_do_not_keep_it_from_being_cut_off(nodes, database, lock):
    a, b, _ = nodes
    database.ask('CREATE ROLE holder LOGIN')
    try:
        assert command(a, "store", "grant", "holder").returncode == 0
        assert ask_as(database, "holder", "INSERT INTO nodes(name, pid, start, place, seen_ms, version) VALUES('holder'"
                      ", 1, 1, 'x y holder', extract(epoch FROM clock_timestamp()) * 1000, '1')")[0] == 0
        database.ask("GRANT UPDATE ON nodes TO holder")  # as roles of before have it: it may lock the whole table
        with thief_of(database, "holder", lock) as thief:
            done = command(a, "fleet", "cut-off", "holder")
            assert done.returncode == 0, done.stderr
            with contextlib.suppress(BrokenPipeError):
                thief.stdin.write("SELECT 1;\n")
                thief.stdin.close()
            assert "terminating connection" in thief.stdout.read()
        told = {x["node"]: x for x in json.loads(command(a, "fleet", "status", "--json").stdout)}
        assert told["holder"]["cut_off"]
        assert not helpers.poll(lambda: not (a.is_ready() and b.is_ready()), 60)
    finally:
        database.ask("DELETE FROM nodes WHERE name = 'holder'; DROP OWNED BY holder; DROP ROLE holder")


def test_a_node_cannot_say_of_itself_that_it_was_cut_off(nodes, database):
    """Nothing is asked of one that is, so its history could be any."""
    a, b, c = nodes
    with node(database, a, "quitter") as n:
        await_signed(database, n, a, b, c)
        code, said = ask_as(database, "quitter", "UPDATE nodes SET cut_ms = 1 WHERE name = 'quitter'")
        assert code and "permission denied" in said, said
        # with rights of before
        database.ask("GRANT SELECT, INSERT, UPDATE ON nodes TO quitter")
        assert command(a, "store", "grant", "quitter").returncode == 0
        code, said = ask_as(database, "quitter", "UPDATE nodes SET cut_ms = 1 WHERE name = 'quitter'")
        assert code and "permission denied" in said, said
        assert not found(a)


def test_cut_off_takes_no_role_that_is_not_a_node_s(nodes, database):
    """Neither the one that it works with, nor another program's that has the name which was typed."""
    a, _, _ = nodes
    database.ask("CREATE ROLE report LOGIN; GRANT SELECT ON executions TO report")
    try:
        for name in ("report", "sandbox"):
            done = command(a, "fleet", "cut-off", name)
            assert done.returncode == 2 and "no node %s" % name in done.stderr, done
        assert ask_as(database, "report", "SELECT count(*) FROM executions")[0] == 0
        # and a node that has the owner's name
        database.ask("INSERT INTO nodes(name, pid, start, place, seen_ms, version) "
                     "VALUES('sandbox', 1, 1, 'x y sandbox', 1, '1')")
        done = command(a, "fleet", "cut-off", "sandbox")
        assert done.returncode == 125 and "has no role of its own" in done.stderr, done
        assert command(a, "fleet", "status").returncode == 0
    finally:
        database.ask("DELETE FROM nodes WHERE name = 'sandbox'; DROP OWNED BY report; DROP ROLE report")


# ---- another history ----

def test_what_a_thief_signs_as_its_own_witness_is_no_beginning(nodes, database):
    """A node that begins to witness an audit begins with what was signed of it: by others."""
    a, b, c = nodes
    with node(database, a, "forger") as n:
        size = await_signed(database, n, a, b, c)
        n.stop()
        forger = Forger(database, n)
        c.stop()
        (c.state_dir / "fleet.cosigned").unlink()
        forged = forger.checkpoint(size + 1000)
        forger.cosign(forger.log, size + 1000, forger.cosigned(forged))
        forger.anchor(size + 1000, forged)
        c.start()
        forger.anchor(size + 1000, forged)
        assert not helpers.poll(lambda: not (c.state_dir / "fleet.cosigned").exists() or
                                log_of(n) not in (c.state_dir / "fleet.cosigned").read_text(), 60)
        helpers.poll(lambda: signed(database, n, c) > size + 999, 3)
        assert signed(database, n, c) < size + 1000
        assert signed(database, n, a) < size + 1000


def test_rows_in_masses_hold_nobody_up(nodes, database):
    """Each node asks each turn what was signed of its audit, under the lock of its store."""
    a, b, c = nodes
    with node(database, a, "flood") as n:
        await_signed(database, b, a)
        for table, row in (("cosignatures(log, witness", log_of(b)), ("anchors(log, node", log_of(n))):
            code, said = ask_as(database, "flood", "INSERT INTO %s, size, note%s) SELECT '%s', 'flood', 1, ''%s FROM "
                                "generate_series(1, 3000)" % (table, ", proofs" * ("anch" in table), row,
                                                              ", ''" * ("anch" in table)))
            assert code and "_by_slot" in said, said
        # as of before, and of the time that it had
        database.ask("INSERT INTO cosignatures(log, witness, size, note, slot) SELECT '%s', 'flood', 1, "
                     "repeat('x', 600), i FROM generate_series(1, 300000) i" % log_of(b))
        read = "SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) FROM pg_stat_user_tables WHERE " \
               "relname = 'cosignatures'"
        before = int(database.ask(read))
        for _ in range(3):
            await_signed(database, b, a)
        helpers.poll(lambda: int(database.ask(read)) - before > 250000, 3)
        assert int(database.ask(read)) - before < 250000, "a few rows each turn, and not all of them"
        database.ask("DELETE FROM cosignatures WHERE witness = 'flood'")
