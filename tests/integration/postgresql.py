"""A PostgreSQL of a test's own: on a socket in a temporary directory, as a user that has a name and is not root (initdb
insists on both)."""
import glob
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile

import helpers

# as tests/unit/test_postgres.c starts it
FAST = ["-F", "-c", "listen_addresses=", "-c", "shared_buffers=16MB", "-c", "autovacuum=off"]


def programs():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/postgres"))
    return pathlib.Path(found[-1]).parent if found else None


class PostgreSQL:
    def __init__(self, prepare=None, place=None, prefix=()):
        """prepare(self): between making its files and starting it -> further words for its command line. place: where
        its directory is made. prefix: words of root's before its command line: how it gets into another network
        namespace."""
        self.prefix = list(prefix)
        self.programs = programs()
        if not self.programs:
            helpers.skip("PostgreSQL is not installed (Debian: postgresql-15)")
        try:
            self.user = pwd.getpwnam("postgres") if helpers.is_root() else pwd.getpwuid(os.geteuid())
        except KeyError:
            helpers.skip("PostgreSQL refuses to be a user without a name")
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="test-postgresql-", dir=place))
        self.dir.chmod(0o755)
        if helpers.is_root():
            os.chown(self.dir, self.user.pw_uid, self.user.pw_gid)
        self.process = None
        made = self.run("initdb", "-D", self.dir / "data", "-N", "-A", "trust", "-U", "sandbox",
                        "--no-locale", "-E", "UTF8")
        assert made.returncode == 0, made.stdout + made.stderr
        self.port = 5432
        self.words = prepare(self) if prepare else []
        self.start()

    def as_user(self):
        return {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if helpers.is_root() else {}

    def run(self, program, *words):
        return subprocess.run([self.programs / program, *map(str, words)], cwd=self.dir, capture_output=True, text=True,
                              timeout=120, **self.as_user())

    def start(self):
        with open(self.dir / "log", "ab") as log:
            words = [self.programs / "postgres", "-D", self.dir / "data", "-k", self.dir, *FAST, *self.words]
            user = self.as_user()
            if self.prefix:
                words = [*self.prefix, "setpriv", "--reuid=%d" % user["user"], "--regid=%d" % user["group"],
                         "--clear-groups", *words]
                user = {}
            self.process = subprocess.Popen(words, cwd=self.dir, stdout=log, stderr=log, **user)
        helpers.residents.add(self.process.pid)
        is_late = helpers.poll(lambda: self.run("pg_isready", "-h", self.dir, "-p", self.port).returncode != 0, 60)
        assert not is_late, helpers.read(self.dir / "log")

    def stop(self, how=signal.SIGINT):
        """SIGINT: in order, without waiting for clients. SIGQUIT: as if it crashed."""
        self.process.send_signal(how)
        self.process.wait(60)
        helpers.residents.discard(self.process.pid)

    def close(self):
        if self.process and self.process.poll() is None:
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self.dir)

    def ask(self, sql):
        """-> what psql prints, without decoration"""
        said = self.run("psql", "-h", self.dir, "-U", "sandbox", "-d", "postgres", "-Atqc", sql)
        assert said.returncode == 0, said.stderr
        return said.stdout.strip()

    def config(self, node, user="sandbox"):
        """-> for the configuration of a node"""
        return {"store": {"backend": "postgresql", "host": str(self.dir), "database": "postgres", "user": user,
                          "node": node}}
