"""Backups of a fleet's database, and what a restore does: «Backups» in docs/fleet.md, with its own commands. Two nodes
whose disks are whole, and a database that is lost."""
import contextlib
import json
import os
import shutil
import signal

import helpers
from postgresql import PostgreSQL
from test_fleet_owner import command
from test_fleet_witness import await_signed, make, verify

# as docs/fleet.md says them
DUMP = ("--format=custom", "--no-unlogged-table-data", "--exclude-table-data=requests")


class World:
    """Nodes a and b, backups of a moment, and what was done before, between, and behind the moment to restore to."""

    def __init__(self, stack):
        self.database = PostgreSQL(self.archiving)
        stack.callback(self.database.close)
        self.a = stack.enter_context(make(self.database, "a", user="sandbox", max_concurrent_executions=1))
        self.a.name = "a"
        assert command(self.a, "store", "migrate").returncode == 0
        self.a.start()
        self.database.ask("CREATE ROLE b LOGIN")
        assert command(self.a, "store", "grant", "b").returncode == 0
        self.b = stack.enter_context(make(self.database, "b", max_concurrent_executions=1))
        self.b.name = "b"
        self.b.start()
        self.b.key = self.a.key
        self.runs = {"before": self.run()}
        for agent in ("early", "late"):
            self.a.run("true", "bash", agent_id=agent)
        self.hold()  # before a ban: new agents of a key that had a banned one get no volumes
        self.back_up()
        self.runs["between"] = self.run()
        self.ban("late")
        self.sizes = [await_signed(self.database, self.a, self.b), await_signed(self.database, self.b, self.a)]
        segment = self.database.ask("SELECT pg_walfile_name(pg_create_restore_point('moment'))")
        self.runs["behind"] = self.run()
        self.database.ask("SELECT pg_switch_wal()")
        assert not helpers.poll(lambda: not (self.database.archive / segment).exists(), 60), "it is not archived"
        self.lose()

    @staticmethod
    def archiving(p):
        """Of the database: write-ahead log is kept in a directory, as an archive on another machine would be."""
        p.archive = p.dir / "archive"
        p.archive.mkdir()
        if helpers.is_root():
            os.chown(p.archive, p.user.pw_uid, p.user.pw_gid)
        whole = "test ! -f {0}/%f && cp %p {0}/%f.new && mv {0}/%f.new {0}/%f".format(p.archive)
        return ["-c", "archive_mode=on", "-c", "archive_command=" + whole]

    def run(self):
        return self.b.run("echo it ran", "bash", agent_id="worker")["execution_id"]

    def ban(self, agent):
        assert self.a.request("POST", "/agents/%s/ban" % agent, json={"reason": "test"}).status_code == 200

    def hold(self):
        """One that runs when the backup is made, and one that waits in the database; both end before the failure."""
        nodes = (self.a, self.b)
        self.gates = [n.gate() for n in nodes]
        held = [n.submit(g.wait + "echo once", "bash", agent_id="holder", volumes=g.volumes)
                for n, g in zip(nodes, self.gates)]
        for n, e in zip(nodes, held):
            assert not helpers.poll(lambda n=n, e=e: n.execution(e)["state"] != "running", 60), n.execution(e)
        self.open = [*held, self.b.submit("echo once", "bash", agent_id="waiter")]
        assert self.database.ask("SELECT count(*) FROM requests WHERE is_taken = 0") == "1"
        self.ban("early")

    def back_up(self):
        p = self.database
        for program, *words in (("pg_dumpall", "--globals-only", "--file", p.dir / "roles.sql"),
                                ("pg_dump", *DUMP, "--file", p.dir / "sandbox.dump", "postgres"),
                                ("pg_basebackup", "--checkpoint=fast", "--wal-method=none", "--pgdata", p.dir / "base")
                                ):
            done = p.run(program, "-h", p.dir, "-U", "sandbox", *words)
            assert done.returncode == 0, (program, done.stderr)
        for gate in self.gates:
            gate.open()
        for e in self.open:
            assert self.b.finished(e)["result"]["stdout"] == "once\n"

    def lose(self):
        self.database.stop(signal.SIGQUIT)
        shutil.rmtree(self.database.dir / "data")
        for n in (self.a, self.b):
            n.stop()

    def restore_moment(self):
        p = self.database
        shutil.copytree(p.dir / "base", p.dir / "data", symlinks=True)
        (p.dir / "data/recovery.signal").touch()
        for path in [p.dir / "data", *(p.dir / "data").rglob("*")] if helpers.is_root() else ():
            os.chown(path, p.user.pw_uid, p.user.pw_gid)
        words = p.words
        p.words = [*words, "-c", "restore_command=cp %s/%%f %%p" % p.archive, "-c", "recovery_target_name=moment",
                   "-c", "recovery_target_action=promote"]
        p.start()
        assert not helpers.poll(lambda: not p.ask("SELECT 1 WHERE NOT pg_is_in_recovery()"), 60)
        p.words = words
        p.ask("DELETE FROM requests")

    def restore_dump(self):
        p = self.database
        p.stop()
        shutil.rmtree(p.dir / "data")
        made = p.run("initdb", "-D", p.dir / "data", "-N", "-A", "trust", "-U", "sandbox", "--no-locale", "-E", "UTF8")
        assert made.returncode == 0, made.stderr
        p.start()
        for program, *words in (("psql", "-q", "-d", "postgres", "-f", p.dir / "roles.sql"),
                                ("pg_restore", "--exit-on-error", "-d", "postgres", p.dir / "sandbox.dump")):
            done = p.run(program, "-h", p.dir, "-U", "sandbox", *words)
            assert done.returncode == 0, (program, done.stderr)

    def start(self):
        self.a.start()
        self.b.start()

    def check(self, known, unknown):
        a, b = self.a, self.b
        assert b.run("echo again", "bash", agent_id="worker")["stdout"] == "again\n"
        for name in known:
            assert a.execution(self.runs[name])["result"]["stdout"] == "it ran\n", name
        for name in unknown:
            assert a.request("GET", "/executions/" + self.runs[name]).status_code == 404, name
        # nothing is run twice: what ran or waited when the backup was made has an end, and began once
        for e in self.open:
            assert not helpers.poll(lambda e=e: a.execution(e)["state"] != "finished", 60), a.execution(e)
        text = "".join(helpers.read(f) for n in (a, b) for f in n.log_dir.glob("audit*.jsonl"))
        lines = [line for line in map(json.loads, text.splitlines()) if line["event"]["action"] == "execution-decided"]
        for e in self.open:
            assert [line["process"]["entity_id"] for line in lines].count(e) == 1, (e, a.execution(e))
        assert self.runs["behind"] in text, "the audit has what the store lost"
        # the audits are longer than the database remembers, and what each signed is on its disk: all goes on, unasked
        for service, by, size in ((a, b, self.sizes[0]), (b, a, self.sizes[1])):
            assert await_signed(self.database, service, by) > size
        done = helpers.poll(lambda: (d := verify(a)) and d.returncode and d, 60, 1)
        assert not done, (done.stdout, done.stderr)


def test_a_fleet_goes_on_from_its_archive_and_from_a_dump():
    """One test: its parts come one behind the other."""
    with contextlib.ExitStack() as stack:
        world = World(stack)
        world.restore_moment()
        world.start()
        world.check(("before", "between"), ("behind",))
        for agent in ("early", "late"):
            assert world.a.execute("true", "bash", agent_id=agent).status_code == 403
        for n in (world.a, world.b):
            n.stop()
        world.restore_dump()
        world.start()
        world.check(("before",), ("between", "behind"))
        assert world.a.execute("true", "bash", agent_id="early").status_code == 403
        free = world.a.run("echo free", "bash", agent_id="late")
        assert free["stdout"] == "free\n", "what was done since the dump is forgotten: that ban has to be given again"
