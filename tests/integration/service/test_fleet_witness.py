"""Nodes witness each other's audits (docs/fleet.md): three services on one real PostgreSQL, and what each of them says
when another one's history is not what it was."""
import contextlib
import json
import re
import shutil
import subprocess

import helpers
import pytest
from postgresql import PostgreSQL
from service import preloaded
from test_fleet_owner import Node, command

FAST = {"witness_interval": 0.2}


@pytest.fixture(scope="module")
def database():
    with contextlib.ExitStack() as stack:
        p = PostgreSQL()
        stack.callback(p.close)
        yield p


def make(database, name, config=None, **fleet):
    return Node(database, name, {"user": name, **FAST, **fleet}, {"security": {"audit_max_size": "64k"}}, config or {})


def admin(database, service, *words):
    """As the role that owns the tables."""
    path = service.dir / "admin.yaml"
    path.write_text(service.config_path.read_text().replace("user: %s" % service.name, "user: sandbox")
                    .replace('user: "%s"' % service.name, "user: sandbox"))
    argv = [helpers.AGENT, *words, "--config", path]
    return subprocess.run(argv, env=service.env, capture_output=True, text=True, timeout=60)


@contextlib.contextmanager
def node(database, first, name, role=None, **more):
    """A further one, with a role of its own, which other tests do not use."""
    database.ask('CREATE ROLE "%s" LOGIN' % (role or name))
    assert command(first, "store", "grant", role or name).returncode == 0
    with make(database, name, **more) as n:
        n.name = name
        n.start()
        n.key = first.key
        yield n
    database.ask("UPDATE nodes SET seen_ms = 0, cut_ms = 1 WHERE name = '%s'" % name)  # it is gone, and that is right


@pytest.fixture(scope="module")
def nodes(database):
    """a has the role of the owner, b and c have their own."""
    Node.trusted = None
    with contextlib.ExitStack() as stack:
        a = stack.enter_context(make(database, "a", user="sandbox"))
        assert command(a, "store", "migrate").returncode == 0
        a.start()
        stack.enter_context(others := contextlib.ExitStack())
        b, c = (others.enter_context(node(database, a, name)) for name in ("b", "c"))
        a.name = "a"
        yield a, b, c


def log_of(service):
    return (service.state_dir / "audit.pub").read_text().strip()


def signed(database, service, by):
    """-> how many lines of its audit that node has signed"""
    said = database.ask("SELECT coalesce(max(size), 0) FROM cosignatures WHERE log = '%s' AND witness = '%s'"
                        % (log_of(service), by.name))
    return int(said)


def lines(service):
    """The number of its last line: those of archived files count, too."""
    text = (service.log_dir / "audit.jsonl").read_text()
    return json.loads(text[:text.rindex("\n")].splitlines()[-1])["event"]["sequence"]


def await_signed(database, service, *by):
    service.run("true", "bash", agent_id="worker")
    now = lines(service)
    for w in by:
        assert not helpers.poll(lambda w=w: signed(database, service, w) < now, 60), \
            "%s has not signed %d lines of %s: %d\n%s\n%s" % (w.name, now, service.name, signed(database, service, w),
                                                             w.logs, service.logs)
    return now


def alerts(service):
    text = "".join(helpers.read(f) for f in [*service.log_dir.glob("audit-*.jsonl"), service.log_dir / "audit.jsonl"])
    return [e["message"] for e in map(json.loads, filter(None, text.splitlines()))
            if e.get("rule", {}).get("id", "").startswith("node_audit_")]


def await_alert(service, pattern):
    assert not helpers.poll(lambda: not any(re.search(pattern, m) for m in alerts(service)), 60), \
        (pattern, alerts(service), service.logs)


def verify(service, *words, key=True):
    env = {**service.env, **({"SANDBOX_AGENT_API_KEY": service.key} if key else {})}
    argv = [helpers.AGENT, "audit", "verify", "--fleet", "--config", service.config_path, *words]
    return subprocess.run(argv, env=env, capture_output=True, text=True, timeout=120)


def verdicts(service, *words):
    """-> by node, what is said of it"""
    done = verify(service, "--json", *words)
    assert done.returncode in (0, 1), done
    told = json.loads(done.stdout)
    assert told["ok"] == (done.returncode == 0)
    return {n["node"]: n for n in told["nodes"]}


def found(service, *words):
    return {name: n["problems"] for name, n in verdicts(service, *words).items() if not n["ok"]}


def metric(service, name):
    got = re.search(r"^sandbox_agent_%s ([0-9.e+]+)" % name, service.outside("GET", "/metrics", key=service.key).text,
                    re.M)
    return float(got.group(1)) if got else None


def rewrite_history(service, count):
    """What a holder of the key can do: other lines, chained and signed as they should be."""
    service.stop()
    for f in [*service.log_dir.glob("audit*"), *service.state_dir.glob("*.head")]:
        if not f.name.endswith(".lock"):
            f.unlink()
    service.start()
    for _ in range(count):
        service.run("true", "bash", agent_id="worker")


# ---- all is well ----

def test_each_audit_is_signed_by_the_two_other_nodes(nodes, database):
    a, b, c = nodes
    for service, by in ((a, (b, c)), (b, (a, c)), (c, (a, b))):
        await_signed(database, service, *by)
    told = verdicts(a)
    assert all(n["ok"] for n in told.values()), told
    assert {s["by"] for s in told["b"]["signed"]} == {"a", "c", "this node's own memory"}
    assert (told["a"]["how"], told["b"]["how"]) == ("its files, here", "asked for proofs")
    assert verify(b).stdout.splitlines()[-1] == "ok: the audits of 3 nodes"
    for service in nodes:
        assert not helpers.poll(lambda s=service: metric(s, "audit_witnessed_timestamp_seconds") is None, 60)
        assert metric(service, "fleet_cosigned_timestamp_seconds") > 1.7e9
        assert metric(service, "fleet_audits_refused") == 0 and not alerts(service)
        assert (service.state_dir / "fleet.cosigned").stat().st_mode & 0o777 == 0o600
    without = verify(a, key=False)
    assert without.returncode == 1 and "node b: its lines were not compared: there is no key" in without.stdout


def test_restart_rotation_and_a_new_name_are_no_alert(nodes, database):
    a, b, c = nodes
    with node(database, a, "old") as n:
        before = await_signed(database, n, a, b, c)
        assert not helpers.poll(lambda: n.run("true", "bash", agent_id="worker") and
                                not list(n.log_dir.glob("audit-*.jsonl")), 120, 0), "one file"
        assert await_signed(database, n, a, b, c) > before
        n.stop()
        n.start()
        await_signed(database, n, a, b, c)
        n.kill9()
        n.start()
        await_signed(database, n, a, b, c)
        # an archive takes the first file
        n.stop()
        first = min(n.log_dir.glob("audit-*.jsonl"), key=lambda f: int(f.stem[6:]))
        first.rename(n.dir / "archived")
        left = [json.loads(f.read_text().splitlines()[0])["event"]["sequence"] for f in n.log_dir.glob("audit*.jsonl")]
        # and it is another node now
        database.ask("CREATE ROLE new LOGIN")
        assert command(a, "store", "grant", "new").returncode == 0
        text = n.config_path.read_text().replace("user: old", "user: new").replace("node: old", "node: new") \
            .replace('"old"', '"new"')
        config = re.sub(r"(\n\s*)(\"?audit_max_size\"?:)", r"\g<1>audit_first_line: %d\g<1>\2"
                        % min(left), text)
        assert "audit_first_line" in config and "new" in config, config
        n.config_path.write_text(config)
        n.name = "new"
        database.ask("UPDATE nodes SET seen_ms = 0 WHERE name = 'old'")
        n.start()
        await_signed(database, n, a, b, c)
        told = verdicts(n)
        assert told["new"]["ok"] and told["old"]["ok"] and told["old"]["how"] == "is node new now", told
        for service in (a, b, c):
            service.wait_log("the audit of node old is that of node new now")
            assert not alerts(service), alerts(service)
        database.ask("UPDATE nodes SET seen_ms = 0, cut_ms = 1 WHERE name = 'new'")


CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
int clock_gettime(clockid_t which, struct timespec *t)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real)
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int e = real(which, t);
    if (which == CLOCK_REALTIME)
        t->tv_sec -= 7200;
    return e;
}
"""


def test_a_clock_that_is_two_hours_off_is_no_alert(nodes, database):
    a, b, c = nodes
    database.ask("CREATE ROLE late LOGIN")
    assert command(a, "store", "grant", "late").returncode == 0
    with preloaded(CLOCK) as env, make(database, "late", max_clock_difference="24h") as n:
        n.env.update(env)
        n.name = "late"
        n.start()
        n.key = a.key
        off = next(x for x in json.loads(command(a, "fleet", "status", "--json").stdout) if x["node"] == "late")
        assert not helpers.poll(lambda: next(x for x in json.loads(command(a, "fleet", "status", "--json").stdout)
                                             if x["node"] == "late")["clock_off_ms"] < 7000000, 30), off
        await_signed(database, n, a, b, c)
        await_signed(database, a, n)
        assert not any(alerts(s) for s in (a, b, c, n)) and not found(a)
    database.ask("UPDATE nodes SET seen_ms = 0, cut_ms = 1 WHERE name = 'late'")


# ---- what the database lets a node's role do ----

def test_the_database_lets_a_node_add_rows_of_its_own_and_change_none(nodes, database):
    a, b, _ = nodes
    await_signed(database, b, a)

    def as_b(sql):
        said = database.run("psql", "-h", database.dir, "-U", "b", "-d", "postgres", "-Atqc", sql)
        return said.returncode, said.stdout + said.stderr
    for sql in ("UPDATE anchors SET size = 1", "DELETE FROM anchors", "TRUNCATE anchors", "DELETE FROM cosignatures",
                "UPDATE cosignatures SET size = 1", "UPDATE chains SET retired_ms = 1", "DELETE FROM chains",
                "INSERT INTO anchors(node, log, size, note, proofs, made_ms) VALUES('b', '%s', 1, '', '', 1)"
                % log_of(b), "INSERT INTO anchors(node, log, size, note, proofs) VALUES('a', '%s', 1, '', '')"
                % log_of(a), "INSERT INTO anchors(node, log, size, note, proofs) VALUES('b', '%s', 1, '', '')"
                % log_of(a), "INSERT INTO cosignatures(log, witness, size, note) VALUES('%s', 'a', 1, '')" % log_of(b),
                "INSERT INTO chains(node, log, claim) VALUES('a', 'x', '')",
                "INSERT INTO anchors(node, log, size, note, proofs) VALUES('b', '%s', 1, repeat('x', 3000), '')"
                % log_of(b),
                "INSERT INTO cosignatures(log, witness, size, note) VALUES('x', 'b', 1, repeat('x', 9999))",
                "INSERT INTO chains(node, log, claim) VALUES('b', 'x', '')"):
        before = database.ask("SELECT count(*) FROM chains")
        code, said = as_b(sql)
        assert code and re.search("permission denied|row-level security|duplicate key|check constraint",
                                   said), (sql, said)
        assert database.ask("SELECT count(*) FROM chains") == before
    assert as_b("SELECT count(*) FROM anchors")[0] == 0


def test_old_checkpoints_are_thinned_and_the_last_of_each_hour_stays(nodes, database):
    a, b, _ = nodes
    hour = 3600000
    database.ask("INSERT INTO anchors(node, log, size, note, proofs, made_ms, slot) SELECT 'gone', 'x', n, '', '', "
                 "(2 * n / 10) * %d + n, n FROM generate_series(1, 20) n" % hour)
    said = database.run("psql", "-h", database.dir, "-U", "b", "-d", "postgres", "-Atqc", "SELECT thin_anchors()")
    assert said.returncode == 0, said.stderr
    left = database.ask("SELECT string_agg(size::text, ' ' ORDER BY size) FROM anchors WHERE log = 'x'")
    assert left == "4 9 14 19 20"
    await_signed(database, b, a)


# ---- another history ----

def test_a_history_that_was_rewritten_with_its_key_is_named_by_the_others(nodes, database):
    a, b, c = nodes
    with node(database, a, "liar") as n:
        await_signed(database, n, a, b, c)
        rewrite_history(n, 20)
        plain = subprocess.run([helpers.AGENT, "audit", "verify", "--config", n.config_path], env=n.env,
                               capture_output=True, text=True)
        assert plain.returncode == 0, "its own machine sees nothing: %s" % plain.stdout
        for service in (a, b, c):
            await_alert(service, "audit of node liar is (another one than it was|shorter)")
            assert metric(service, "fleet_audits_refused") == 1
        has = [signed(database, n, w) for w in (a, b, c)]
        for _ in range(3):
            n.run("true", "bash", agent_id="worker")
        helpers.poll(lambda: [signed(database, n, w) for w in (a, b, c)] == has, 2)
        assert [signed(database, n, w) for w in (a, b, c)] == has, "nothing of it is signed any more"
        for service in (a, b):
            told = found(service)
            assert set(told) == {"liar"} and "history was written anew" in str(told), told
        assert [len(alerts(s)) for s in (a, b, c)] == [1, 1, 1], "each says it once"
        a.stop()
        a.start()
        await_signed(database, a, b)
        assert len(alerts(a)) == 1 and metric(a, "fleet_audits_refused") == 1, "also after it was started anew"
        # with its files, whoever asks
        told = found(c, "--node", "liar=%s" % n.log_dir)
        assert "liar" in told and "not those that the witness saw" in str(told["liar"]), told
        # an administrator knows why: it begins anew, and all say so
        assert command(n, "fleet", "rekey", "liar").returncode != 0, "its own role may not"
        done = command(a, "fleet", "rekey", "liar")
        assert done.returncode == 0, done.stderr
        for service in (a, b, c):
            await_alert(service, "audit of node liar begins anew")
        await_signed(database, n, a, b, c)
        assert not found(a)


def test_lines_that_are_missing_on_a_node_are_named(nodes, database):
    a, b, c = nodes
    with node(database, a, "short") as n:
        await_signed(database, n, a, b, c)
        files = n.dir / "copy"
        n.stop()
        shutil.copytree(n.log_dir, files)
        text = (files / "audit.jsonl").read_text().splitlines(keepends=True)
        (files / "audit.jsonl").write_text("".join(text[:-3]))
        told = found(a, "--node", "short=%s" % files)["short"]
        assert any("the witness saw %d lines, and the first %d" % (len(text), len(text) - 3) in p
                   or "and the first" in p for p in told), told
        # the node itself goes on from a backup that is older
        shutil.copytree(n.log_dir, n.dir / "whole")
        rewrite_history(n, 1)
        for service in (b, c):
            await_alert(service, "audit of node short (is shorter than it was|is another one)")


@pytest.mark.parametrize("count", [0, 8], ids=["as-one", "apart"])
def test_two_machines_with_one_key_are_named(nodes, database, count):
    """A forked view: the same beginning, and then two histories; or none yet."""
    a, b, c = nodes
    with node(database, a, "one%d" % count) as n:
        await_signed(database, n, a, b, c)
        n.stop()
        database.ask("CREATE ROLE two%d LOGIN" % count)
        assert command(a, "store", "grant", "two%d" % count).returncode == 0
        with make(database, "two%d" % count) as m:
            m.name = "two%d" % count
            for name in ("state", "log"):
                shutil.rmtree(m.dir / name)
                shutil.copytree(n.dir / name, m.dir / name)
                helpers_chown(m.dir / name)
            for f in m.state_dir.glob("*.head"):
                f.unlink()
            n.start()
            if count:
                await_signed(database, n, b)
            m.start()
            m.key = a.key
            for _ in range(count):
                m.run("true", "bash", agent_id="worker")
                n.run("true", "bash", agent_id="worker")
            await_alert(b, "audit of node (one|two)%d %s" % (count, "(is|has)" if count else "is of two nodes at once"))
            await_alert(a, "audit of node (one|two)%d (is|has)" % count)
            assert found(a).keys() & {"one%d" % count, "two%d" % count}
        database.ask("UPDATE nodes SET seen_ms = 0, cut_ms = 1 WHERE name = 'two%d'" % count)


def helpers_chown(path):
    """Whom the service of root's becomes."""
    if helpers.is_root():
        for f in [path, *path.rglob("*")]:
            shutil.chown(f, "nobody", "nogroup")


def test_a_node_that_was_set_up_anew_is_witnessed_once_an_administrator_says_so(nodes, database):
    a, b, c = nodes
    with node(database, a, "anew") as n:
        await_signed(database, n, a, b, c)
        old = log_of(n)
        n.stop()
        for name in ("state", "log"):
            shutil.rmtree(n.dir / name)
            n.directory(name)
        n.start()
        n.wait_log("another key than the one that is registered for node anew")
        assert log_of(n) != old
        n.run("true", "bash", agent_id="worker")
        assert signed(database, n, b) == 0
        assert command(a, "fleet", "rekey", "anew").returncode == 0
        await_signed(database, n, a, b, c)
        for service in (a, b, c):
            await_alert(service, "audit of node anew begins anew, with another key")


# ---- what is not there ----

def test_a_node_that_is_missing_or_stalled_is_named(nodes, database):
    a, b, c = nodes
    with node(database, a, "quiet") as n:
        await_signed(database, n, a, b, c)
        n.stop()
        database.ask("UPDATE nodes SET seen_ms = seen_ms - 300000 WHERE name = 'quiet'")
        told = found(a)
        assert list(told) == ["quiet"] and re.search("is missing: it was last heard of 3[0-9]+ s ago", str(told)), told
        n.start()  # it lives, and all that is known of its audit is old
        await_signed(database, n, a)
        database.ask("UPDATE anchors SET made_ms = made_ms - 300000 WHERE node = 'quiet'; UPDATE cosignatures SET "
                     "made_ms = made_ms - 300000 WHERE log = '%s'" % log_of(n))
        told = found(a)
        assert "is stalled" in str(told.get("quiet")) and "is not witnessed" in str(told["quiet"]), told
        await_signed(database, n, a, b, c)
        assert not found(a)


def test_a_database_that_was_rolled_back_makes_no_node_forget(nodes, database):
    a, b, c = nodes
    with node(database, a, "x") as n:
        await_signed(database, n, a, b, c)
        database.stop()
        shutil.copytree(database.dir / "data", database.dir / "older", symlinks=True)
        if helpers.is_root():
            subprocess.run(["chown", "-R", "%d" % database.user.pw_uid, database.dir / "older"], check=True)
        database.start()
        assert not helpers.poll(lambda: not all(s.is_ready() for s in (a, b, c, n)), 60)
        later = await_signed(database, n, a, b, c)
        before = [len(alerts(s)) for s in (a, b, c)]
        database.stop()
        shutil.rmtree(database.dir / "data")
        (database.dir / "older").rename(database.dir / "data")
        (database.dir / "data").chmod(0o700)
        database.start()
        assert not helpers.poll(lambda: not all(s.is_ready() for s in (a, b, c, n)), 60)
        assert await_signed(database, n, a, b, c) > later  # honest nodes go on
        assert [len(alerts(s)) for s in (a, b, c)] == before and not found(a)
        # and now the one that lies, with the database's help: it forgets all that was signed
        n.stop()
        database.ask("DELETE FROM cosignatures; DELETE FROM anchors; DELETE FROM chains")
        rewrite_history_of_stopped(n)
        for service in (a, b, c):
            await_alert(service, "audit of node x is (another one than it was|shorter)")
        assert "x" in found(a)


def rewrite_history_of_stopped(service):
    for f in [*service.log_dir.glob("audit*"), *service.state_dir.glob("*.head")]:
        if not f.name.endswith(".lock"):
            f.unlink()
    service.start()
    for _ in range(12):
        service.run("true", "bash", agent_id="worker")


def test_what_a_node_has_signed_is_found_again_and_a_damaged_file_is_not_nothing(nodes, database):
    a, b, c = nodes
    with node(database, a, "subject") as n:
        await_signed(database, n, a, b, c)
        kept = b.state_dir / "fleet.cosigned"
        b.stop()
        kept.unlink()  # the database still has what it signed
        rewrite_history(n, 20)
        b.start()
        await_alert(b, "audit of node subject is (another one than it was|shorter)")
        b.stop()
        good = kept.read_bytes()
        kept.write_bytes(good[:-7])
        b.start()
        b.wait_log("fleet.cosigned: is not what this node wrote")
        had = signed(database, a, b)
        a.run("true", "bash", agent_id="worker")
        helpers.poll(lambda: signed(database, a, b) == had, 2)
        assert signed(database, a, b) == had, "it signs nothing"
        b.stop()
        kept.write_bytes(good)
        b.start()
        await_signed(database, a, b)


# ---- search ----

def test_search_asks_all_nodes_and_names_the_one_that_is_away(nodes, database):
    a, b, c = nodes
    for service in nodes:
        service.run("true", "bash", agent_id="wanted-by-%s" % service.name)

    def search(*words, key=True):
        env = {**b.env, **({"SANDBOX_AGENT_API_KEY": a.key} if key else {})}
        argv = [helpers.AGENT, "audit", "search", "--fleet", "--config", b.config_path, *words]
        return subprocess.run(argv, env=env, capture_output=True, text=True, timeout=120)
    done = search("--agent", "wanted-by-c", "--json")
    gone = {"b", "c", "a"}
    told = [json.loads(line) for line in done.stdout.splitlines()]
    events = [t for t in told if "event" in t]
    assert events and {t["node"] for t in events} == {"c"}, done
    assert all(t["event"]["gen_ai"]["agent"]["id"] == "wanted-by-c" for t in events)
    every = search("--action", "execution-finished", "--json", "--limit", "1000")
    assert gone <= {json.loads(line)["node"] for line in every.stdout.splitlines()}
    text = search("--agent", "wanted-by-a").stdout.splitlines()
    assert text and all(re.match(r"a +\d+ +\d{4}-\d\d-\d\dT", line) for line in text), text
    pages = search("--json", "--until", "2000-01-01")
    assert [json.loads(line) for line in pages.stdout.splitlines() if "event" in json.loads(line)] == []
    assert search("--limit", "0").returncode == 2 and search("--nothing", "x").returncode == 2
    assert search(key=False).returncode == 2
    with node(database, a, "away") as n:
        n.stop()
        done = search("--agent", "wanted-by-a")
        assert done.returncode == 3 and "node away did not answer" in done.stderr and done.stdout, done


# ---- a stolen node ----

def test_a_node_that_is_cut_off_can_do_nothing_more(nodes, database):
    a, b, c = nodes
    with node(database, a, "stolen") as n:
        await_signed(database, n, a, b, c)
        gate = n.gate()
        e = n.submit(gate.wait, "bash", volumes=gate.volumes)
        assert not helpers.poll(lambda: b.execution(e)["state"] != "running", 60)
        # the thief has a connection, and a transaction in it
        argv = [database.programs / "psql", "-h", database.dir, "-U", "stolen", "-d", "postgres", "-Atq"]
        with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              **database.as_user()) as thief:
            helpers.residents.add(thief.pid)
            thief.stdin.write("BEGIN; SELECT count(*) >= 0 FROM agents;\n")
            thief.stdin.flush()
            assert thief.stdout.readline() == "t\n"
            refused = command(b, "fleet", "cut-off", "stolen")
            assert refused.returncode and "denied" in refused.stderr, "another node's role may not"
            done = command(a, "fleet", "cut-off", "stolen")
            assert done.returncode == 0, done.stderr
            thief.stdin.write("UPDATE agents SET trust = 1000;\n")
            with contextlib.suppress(BrokenPipeError):
                thief.stdin.close()
            assert "terminating connection" in thief.stdout.read()
            thief.wait(30)
            helpers.residents.discard(thief.pid)
        assert database.ask("SELECT count(*) FROM pg_stat_activity WHERE usename = 'stolen'") == "0"
        again = database.run("psql", "-h", database.dir, "-U", "stolen", "-d", "postgres", "-Atqc", "SELECT 1")
        assert again.returncode and "not permitted to log in" in again.stderr, again
        # the service itself: no run, and no rows
        assert n.execute("echo x", "bash").status_code == 503
        before = signed(database, a, n), database.ask("SELECT count(*) FROM anchors WHERE node = 'stolen'")
        a.run("true", "bash", agent_id="worker")
        # the others take it for dead at once
        ended = b.finished(e, patience=150)
        assert ended["reason"] == "sandbox_error" and ended["result"]["error"]["code"] == "node_lost", ended
        assert b.request("GET", "/executions/%s/artifacts" % e).status_code in (404, 503)
        await_signed(database, a, b, c)
        assert before == (signed(database, a, n), database.ask("SELECT count(*) FROM anchors WHERE node = 'stolen'"))
        told = {x["node"]: x for x in json.loads(command(a, "fleet", "status", "--json").stdout)}
        assert told["stolen"]["cut_off"] and told["stolen"]["state"] == "cut off" and not told["b"]["cut_off"]
        assert verdicts(a)["stolen"]["how"] == "is cut off" and not found(a)
        assert command(a, "fleet", "resume", "stolen").returncode == 0
        assert json.loads(command(a, "fleet", "status", "--json").stdout)[-1]["cut_off"], "resume does not let it in"
        gate.open()
        n.kill9()
        # another machine of that name
        database.ask("ALTER ROLE stolen LOGIN")
        assert command(a, "store", "grant", "stolen").returncode == 0
        for name in ("state", "log"):
            shutil.rmtree(n.dir / name)
            n.directory(name)
        n.start()
        await_signed(database, n, a, b, c)
    wrong = command(a, "fleet", "cut-off", "nowhere")
    assert wrong.returncode == 2 and "no node nowhere" in wrong.stderr, wrong


def test_an_owner_that_may_not_end_logins_revokes_all_rights_and_says_the_rest(nodes, database):
    """In a database of its own, with an owner that is no superuser."""
    a, _, _ = nodes
    database.ask("CREATE ROLE plain LOGIN")
    database.ask("CREATE DATABASE plain OWNER plain")
    database.ask("CREATE ROLE n1 LOGIN")
    place = a.dir / "plain.yaml"
    place.write_text(a.config_path.read_text().replace("database: postgres", "database: plain")
                     .replace('"postgres"', '"plain"').replace("user: sandbox", "user: plain")
                     .replace('"sandbox"', '"plain"'))

    def as_owner(*words):
        return subprocess.run([helpers.AGENT, *words, "--config", place], env=a.env, capture_output=True, text=True,
                              timeout=60)

    def ask(user, sql):
        return database.run("psql", "-h", database.dir, "-U", user, "-d", "plain", "-Atqc", sql)
    for words in (("store", "migrate"), ("store", "grant", "n1")):
        done = as_owner(*words)
        assert done.returncode == 0, done.stderr
    assert ask("n1", "INSERT INTO nodes(name, pid, start, place, seen_ms, version) VALUES('n1', 1, 1, 'x y n1', "
                     "extract(epoch FROM clock_timestamp()) * 1000, '1')").returncode == 0
    assert ask("n1", "SELECT count(*) FROM agents").returncode == 0
    done = as_owner("fleet", "cut-off", "n1")
    assert done.returncode == 125 and "rights of node n1 are revoked" in done.stderr and "NOLOGIN" in done.stderr, done
    tables = ask("plain", "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace")
    assert len(tables.stdout.split()) > 25
    for table in tables.stdout.split():
        for sql in ("SELECT 1 FROM %s LIMIT 1", "DELETE FROM %s"):
            said = ask("n1", sql % table)
            assert said.returncode and "permission denied" in said.stderr, (table, said)
    # a role that is a member of the owner's keeps all, and that is said
    database.ask("GRANT plain TO n1")
    done = as_owner("fleet", "cut-off", "n1")
    assert done.returncode == 125, done
    for name in ("n1", "plain"):
        database.ask("ALTER ROLE %s NOLOGIN" % name)
