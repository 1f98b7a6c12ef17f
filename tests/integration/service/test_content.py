"""content.place: artifacts, snapshots and package sets outlive their node, and lists are of all (docs/content.md)."""
import contextlib
import hashlib
import http.server
import json
import os
import shutil
import subprocess
import threading
import time

import helpers
import load
import pytest
import s3_server
from haproxy import certificate
from postgresql import PostgreSQL
from service import USER, error_of
from test_fleet_owner import Node, command
from test_sessions import Session

LARGE = 3 * 1024 * 1024


class Directory:
    """A place for contents that all nodes have, and what lies there."""

    def __init__(self, node):
        self.path = node.directory("contents", 0o700)
        # what others left there is none of the service's; what was being written two days ago is
        for key in ("sets/stray~", "artifacts/2001-01-01/stray~", "new/0123456789abcdef"):
            (self.path / key).parent.mkdir(parents=True, exist_ok=True)
            self.write(key, b"stray")
            os.utime(self.path / key, (time.time() - 2 * 86400,) * 2)
        if helpers.is_root():
            subprocess.run(["chown", "-R", USER + ":", str(self.path)], check=True)

    def config(self):
        return {"content": {"place": str(self.path)}}

    def keys(self, prefix=""):
        return sorted(k for k in (str(p.relative_to(self.path)) for p in self.path.rglob("*") if p.is_file())
                      if k.startswith(prefix) and not k.endswith("stray~"))

    def read(self, key):
        return (self.path / key).read_bytes()

    def remove(self, key):
        (self.path / key).unlink()

    def write(self, key, data):
        (self.path / key).write_bytes(data)

    def is_away(self, is_away):
        """Nothing can be written."""
        new = self.path / "new"
        if is_away:
            shutil.rmtree(new, ignore_errors=True)
            new.touch()
        else:
            new.unlink()

    def close(self):
        pass


class S3:
    """The same of a bucket, by TLS, with a prefix."""
    prefix = "some/where/"

    def __init__(self, node):
        self.dir = node.directory("s3", 0o755)
        self.ca = certificate(self.dir)
        self.ca.chmod(0o644)
        self.bucket = s3_server.Bucket(self.ca, self.dir / "key.pem")
        self.secret(self.bucket.secret)

    def secret(self, secret):
        path = self.dir / "credentials"
        path.write_text("%s\n%s\n" % (self.bucket.access, secret))
        path.chmod(0o600)
        if helpers.is_root():
            shutil.chown(path, USER)

    def config(self, **more):
        return {"content": {"place": "s3://%s/%s" % (self.bucket.name, self.prefix), "endpoint": self.bucket.url,
                            "region": self.bucket.region, "credentials_file": str(self.dir / "credentials"),
                            "ca_file": str(self.ca), **more}}

    def keys(self, prefix=""):
        return sorted(k[len(self.prefix):] for k in list(self.bucket.objects) if k.startswith(self.prefix + prefix))

    def read(self, key):
        return self.bucket.objects[self.prefix + key]

    def remove(self, key):
        del self.bucket.objects[self.prefix + key]

    def write(self, key, data):
        self.bucket.objects[self.prefix + key] = data

    def is_away(self, is_away):
        (self.bucket.stop if is_away else self.bucket.start)()

    def close(self):
        self.bucket.stop()


@pytest.fixture(scope="module")
def database():
    with contextlib.ExitStack() as stack:
        p = PostgreSQL()
        stack.callback(p.close)
        yield p


@pytest.fixture(scope="module", params=[Directory, S3])
def world(request, database):
    """Two nodes and the place that both have. a is the one that dies."""
    with contextlib.ExitStack() as stack:
        a, b = (stack.enter_context(Node(database, name, {})) for name in ("a", "b"))
        place = request.param(b)
        stack.callback(place.close)
        for node in (a, b):
            values = load.UNLIMITED | database.config(node is a and "a" or "b") | place.config()
            node.configure(values | {"fleet": {"address": "http://127.0.0.1:%d" % node.port}})
        said = command(a, "store", "migrate")
        assert said.returncode == 0, said.stderr
        a.start()
        b.start()
        b.key = a.key = database.key = a.key or database.key  # the first world of a database finds none
        a.counter = len(a.request("GET", "/keys").json()["keys"])  # names of keys that the world before has not taken
        yield a, b, place


@pytest.fixture
def nodes(world):
    a, b, place = world
    yield world
    if a.process.poll() is not None:
        a.start()


def is_brought(node):
    """All that this node has is in the place."""
    assert not helpers.poll(lambda: "sandbox_agent_content_waiting 0\n" not in metrics(node), 60), node.logs


def metrics(node):
    return node.outside("GET", "/metrics", key=node.key).text


def die(node, database):
    """Without a word, long ago for the others."""
    node.kill9()
    database.ask("UPDATE nodes SET seen_ms = seen_ms - 120000 WHERE name = 'a'")


@contextlib.contextmanager
def answering(answers):
    """A server that has these by the end of the path. -> its address"""
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *args):
            pass

        def do_GET(self):
            body = json.dumps(next(a for path, a in answers.items() if self.path.endswith(path))).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as s:
        threading.Thread(target=s.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        yield "http://127.0.0.1:%d" % s.server_port
        s.shutdown()


def artifacts(node, execution, key, name=""):
    return node.request("GET", "/executions/%s/artifacts%s" % (execution, name and "/" + name), key=key)


def test_what_an_execution_left_is_there_when_its_node_is_dead(nodes, database):
    a, b, place = nodes
    owner, stranger = a.new_key("run"), a.new_key("run")
    code = ("head -c %d /dev/urandom > large; head -c 5000 /dev/urandom > small; mkdir d; echo deep > d/x; : > empty; "
            "cp small again; sha256sum large small; echo said" % LARGE)
    e = a.execute(code, "bash", key=owner).json()["execution_id"]
    listed = artifacts(a, e, owner).json()  # waits for the end, behind the answer
    is_brought(a)
    names = ["%s/%s" % (x["role"], x["name"]) for x in listed["artifacts"]]
    assert {"workspace/large", "workspace/small", "workspace/d/x", "workspace/empty", "stdout/stdout"} <= set(names)
    before = {n: artifacts(a, e, owner, n).content for n in names}
    receipt = a.request("GET", "/executions/%s/receipt" % e, key=owner)
    assert receipt.status_code == 200 and len(before["workspace/large"]) == LARGE
    a.kill9()
    for _ in range(2):  # it cannot be reached, and it is dead
        after = artifacts(b, e, owner)
        assert after.status_code == 200, after.text
        assert after.json()["artifacts"] == listed["artifacts"] and after.json()["receipt"] == receipt.json()
        assert {n: artifacts(b, e, owner, n).content for n in names} == before
        assert b.request("GET", "/executions/%s/receipt" % e, key=owner).json() == receipt.json()
        error_of(artifacts(b, e, owner, "none"), 404, "not_found")
        error_of(artifacts(b, e, stranger), 404, "not_found")
        error_of(artifacts(b, e, stranger, "stdout"), 404, "not_found")
        database.ask("UPDATE nodes SET seen_ms = seen_ms - 120000 WHERE name = 'a'")
    # what was changed there is never given out
    large = hashlib.sha256(before["workspace/large"]).hexdigest()
    [key], [of_list] = place.keys("files/"), [k for k in place.keys("artifacts/") if k.endswith(e)]
    assert key.endswith("%s/%s" % (e, large))
    for where, damage in ((key, lambda d: d[:-1] + bytes([d[-1] ^ 1])), (key, lambda d: d[:-1]), (key, lambda d: b""),
                          (of_list, lambda d: d.replace(b"said", b"SAID")), (of_list, lambda d: d[:70])):
        whole = place.read(where)
        place.write(where, damage(whole))
        wanted = "workspace/large" if where == key else "stdout"
        assert "content.place" in error_of(artifacts(b, e, owner, wanted), 503, "unavailable")["message"]
        place.write(where, whole)
    assert artifacts(b, e, owner, "stdout").content == before["stdout/stdout"]


def test_what_a_node_had_not_written_when_it_died_is_written_when_it_comes_back(nodes):
    a, b, place = nodes
    place.is_away(True)
    try:
        done = a.run("echo late", "bash")
        a.wait_log("content.place: artifacts:.* waits, and is tried again")
        assert "sandbox_agent_content_waiting 1\n" in metrics(a)
        e = done["execution_id"]
        a.kill9()
        told = error_of(artifacts(b, e, b.key), 503, "unavailable")
        assert "node a" in told["message"]
    finally:
        place.is_away(False)
    assert not [k for k in place.keys() if e in k]
    a.start()
    is_brought(a)
    a.kill9()
    assert artifacts(b, e, b.key, "stdout").content == b"late\n"


def snapshot(session):
    answer = session.ask("POST", "/snapshots")
    assert answer.status_code == 201, answer.text
    return answer.json()["snapshot_id"]


def listed(node, key=None, what="snapshots"):
    answer = node.request("GET", "/" + what, key=key or node.key)
    assert answer.status_code == 200, answer.text
    name = {"snapshots": "snapshot_id", "sessions": "session_id"}[what]
    return ({x[name]: x["node"] for x in answer.json()[what]},
            {m["node"]: m["reason"] for m in answer.json()["missing_nodes"]})


def test_a_snapshot_of_a_dead_node_begins_a_session_on_another(nodes, database):
    a, b, place = nodes
    key, stranger = a.new_key("run", allow_risk_override=True), a.new_key("run", allow_risk_override=True)
    first = Session(a, key=key)
    first.run("head -c %d /dev/urandom > data; sha256sum data > sum; echo one > file" % LARGE)
    old = snapshot(first)
    first.run("echo two > file")
    new = snapshot(first)
    is_brought(a)
    theirs = Session(b, key=key, **{"from": old})
    assert theirs.run("sha256sum -c sum; cat file")["stdout"] == "data: OK\none\n", "while it lives"
    assert listed(b, key) == listed(a, key) == ({old: "a", new: "a"}, {})
    assert listed(b, key, "sessions") == listed(a, key, "sessions") == ({first.id: "a", theirs.id: "b"}, {})
    assert listed(b, stranger) == ({}, {}) == listed(b, stranger, "sessions")
    # asked for on another node, it goes
    third = snapshot(first)
    assert b.request("DELETE", "/snapshots/" + third, key=key).status_code == 200
    error_of(b.request("DELETE", "/snapshots/" + third, key=key), 404, "not_found")
    is_brought(a)
    chunks = len(place.keys("chunks/"))
    assert len(place.keys("snapshots/")) == 2 and chunks > 10
    # its node dies
    die(a, database)
    assert listed(b, key)[0] == {old: "a", new: "a"} and "last heard of" in listed(b, key)[1]["a"]
    assert listed(b, key, "sessions") == ({theirs.id: "b"}, {}), "sessions of a dead node are over"
    assert listed(b, stranger)[0] == {}
    again = Session(b, key=key, **{"from": new})
    assert again.run("sha256sum -c sum; cat file")["stdout"] == "data: OK\ntwo\n"
    body = {"risk_level": "low", "agent_id": "worker", "from": new}
    error_of(b.request("POST", "/sessions", key=stranger, json=body), 404, "not_found")
    error_of(b.request("DELETE", "/snapshots/" + new, key=stranger), 404, "not_found")
    # a chunk that was changed is never restored
    hurt = place.keys("chunks/")[0]
    whole = place.read(hurt)
    place.write(hurt, whole[:-1] + bytes([whole[-1] ^ 1]))
    error_of(b.request("POST", "/sessions", key=key, json=body), 503, "unavailable")
    place.write(hurt, whole)
    # removed while its node is dead: there at once, and on the node's own disk when it comes back
    assert b.request("DELETE", "/snapshots/" + old, key=key).json()["snapshot_id"] == old
    error_of(b.request("POST", "/sessions", key=key, json={**body, "from": old}), 404, "not_found")
    assert 0 < len(place.keys("chunks/")) < chunks
    # a manifest that was damaged is written anew by the node whose it is
    manifest = next(k for k in place.keys("snapshots/") if new in k)
    whole = place.read(manifest)
    place.write(manifest, whole[:-1])
    a.start()
    assert not helpers.poll(lambda: place.read(manifest) != whole, 60)
    assert not helpers.poll(lambda: listed(a, key)[0] != {new: "a"} or len(place.keys("snapshots/")) != 1, 60)
    assert b.request("DELETE", "/snapshots/" + new, key=key).status_code == 200
    is_brought(a)
    assert place.keys("chunks/") == place.keys("snapshots/") == []
    for s in (theirs, again):
        s.ask("DELETE")


def test_what_passes_is_tried_again_and_what_is_cut_off_is_no_answer(nodes):
    a, b, place = nodes
    if not isinstance(place, S3):
        return
    faults = place.bucket.faults
    faults += [("PUT", 500), ("PUT", 503), ("PUT", "slow"), ("GET", 500), ("HEAD", 500)]
    e = a.run("echo passes", "bash")["execution_id"]
    assert artifacts(a, e, a.key).status_code == 200
    is_brought(a)
    assert "waits, and is tried again" not in a.logs and not [f for f in faults if f[0] == "PUT"]
    a.kill9()
    assert artifacts(b, e, b.key, "stdout").content == b"passes\n"
    for fault in ("cut", lambda d: d[:-3], lambda d: b"", lambda d: d.replace(b"passes", b"PASSES"), 403,
                  404):  # a proxy's, without NoSuchKey
        faults.append(("GET", fault))
        error_of(artifacts(b, e, b.key, "stdout"), 503, "unavailable")
    # a list that is not whole is none: what is not in it would count as gone
    for fault in (lambda d: d[:-9], lambda d: d.replace(b"<IsTruncated>false", b"<IsTruncated>true")):
        faults.append(("GET", fault))
        error_of(b.request("GET", "/snapshots", key=b.key), 503, "unavailable")
    faults += 2 * [("GET", 503)]
    assert artifacts(b, e, b.key, "stdout").content == b"passes\n"
    assert not faults
    # another pair needs no restart, and a wrong one is no data
    old, place.bucket.secret = place.bucket.secret, "anotherSecret/" + 9 * "y"
    error_of(artifacts(b, e, b.key), 503, "unavailable")
    place.secret(place.bucket.secret)
    assert artifacts(b, e, b.key, "stdout").content == b"passes\n"
    # secrets are in no log, argument or variable
    for pid in b.pids("sandboxd"):
        said = b.logs + a.logs + "".join(helpers.read("/proc/%d/%s" % (pid, f)) for f in ("cmdline", "environ"))
        assert not [s for s in (old, place.bucket.secret) if s in said]
    assert "Max core file size        0 " in helpers.read("/proc/%d/limits" % max(b.pids("sandboxd")))


def test_a_node_that_does_not_answer_in_time_is_named(nodes, database):
    a, b, place = nodes
    if isinstance(place, S3):
        return  # of lists, and not of places
    sessions = Session(a), Session(b, key=b.key)
    os.kill(max(a.pids("sandboxd")), 19)  # SIGSTOP: it takes the connection, and says nothing
    try:
        found, missing = listed(b, what="sessions")
        assert set(found.values()) == {"b"} and list(missing) == ["a"], (found, missing)
    finally:
        os.kill(max(a.pids("sandboxd")), 18)
    database.ask("UPDATE nodes SET address = 'http://127.0.0.1:9' WHERE name = 'a'")
    assert list(listed(b, what="sessions")[1]) == ["a"]
    assert b.request("GET", "/sessions", headers={"Sandbox-Node-Hop": "1"}).json()["missing_nodes"] == []
    # one that lies: what it says neither hides what is in the place, nor costs time without end
    made = snapshot(sessions[0])
    is_brought(a)
    items = {"/snapshots": [{"snapshot_id": "x", "x": [1], "missing_nodes": [2], "node": "a"}],
             "/packages": [{"name": "x", "hash": i, "node": "a"} for i in range(50000)], "/sessions": [1, "x", None]}
    with answering({path: {path[1:]: told} for path, told in items.items()}) as url:
        def ask(path):
            database.ask("UPDATE nodes SET address = '%s' WHERE name = 'a'" % url)
            answer = b.request("GET", path, key=b.key).json()
            return answer[path[1:]], [m["node"] for m in answer["missing_nodes"]]
        found, missing = ask("/snapshots")
        assert {"x", made} <= {x["snapshot_id"] for x in found} and not missing, found
        assert len(ask("/packages")[0]) == 50000
        found, missing = ask("/sessions")
        assert missing == ["a"] and {x["node"] for x in found} == {"b"}, found
    for s in sessions:
        s.service.request("DELETE", "/sessions/" + s.id, key=s.key)
    a.stop()


# --- package sets: what a build leaves on the disk of its node is put there by hand (docs/packages.md has its form)


def tree_hash(files):
    """As src/packages/tree.h says: names of a directory in the order of their bytes, directories before what is in
    them."""
    whole = hashlib.sha256(b"sandbox-agent packages 1\0")

    def walk(prefix):
        names = sorted({f[len(prefix):].split("/")[0].encode() for f in files if f.startswith(prefix)})
        for name in (n.decode() for n in names):
            path = prefix + name
            if path in files:
                whole.update(b"f-" + path.encode() + b"\0" + hashlib.sha256(files[path]).digest())
            else:
                whole.update(b"d" + path.encode() + b"\0")
                walk(path + "/")

    walk("")
    return whole.hexdigest()


def plant(node, name, owner, value, age_ms=0):
    """A set of Python with one module, of this value. -> its hash"""
    files = {"ourthing.py": b"answer = %d\n" % value, "deep/er/data": b"x" * 5000}
    tree, place = tree_hash(files), node.state_dir / "packages"
    for sub in ("sets", "trees", "building"):
        (place / sub).mkdir(parents=True, exist_ok=True)
    for path, data in files.items():
        (place / "trees" / tree / path).parent.mkdir(parents=True, exist_ok=True)
        (place / "trees" / tree / path).write_bytes(data)
        (place / "trees" / tree / path).chmod(0o444)
    known = {"version": 1, "name": name, "owner": "key:" + owner, "kind": "python", "tree": tree,
             "created_ms": int(time.time() * 1000) - age_ms, "index": "-", "from_source": False, "files": 2,
             "bytes": 5012, "native_files": 0, "request": "", "scan": None, "packages": []}
    (place / "sets" / (name + ".json")).write_text(json.dumps(known, separators=(",", ":")) + "\n")
    if helpers.is_root():
        subprocess.run(["chown", "-R", USER + ":", str(place)], check=True)
    return tree


def owner_of(node, name):
    return next(k["id"] for k in node.request("GET", "/keys").json()["keys"] if k["name"] == name)


def sets(node, key):
    answer = node.request("GET", "/packages", key=key).json()
    assert answer["missing_nodes"] == [], answer
    return {p["name"]: p["hash"] for p in answer["packages"]}


ASK = "import ourthing; print(ourthing.answer)"


def test_a_set_of_one_node_is_used_on_another_by_its_hash(nodes):
    a, b, place = nodes
    names = ["%s-%s" % (name, type(place).__name__) for name in ("owner", "stranger")]
    key, stranger = (a.new_key("run", name, allow_risk_override=True) for name in names)
    owner = owner_of(a, names[0])

    def use(node, name="science", k=key):
        return node.execute(ASK, risk_level="low", packages=name, key=k)

    def made(name, value):
        a.stop()
        tree = plant(a, name, owner, value)
        a.start()
        is_brought(a)
        return tree

    first = made("science", 42)
    assert use(b).json()["stdout"] == use(a).json()["stdout"] == "42\n"
    assert sets(a, key) == sets(b, key) == {"science": first} and sets(b, stranger) == {}
    assert b.request("GET", "/packages/science", key=key).json()["hash"] == first
    error_of(use(b, k=stranger), 403, "policy_denied")
    error_of(b.request("GET", "/packages/science", key=stranger), 404, "not_found")
    # made anew there, it is the new one here with the next run
    second = made("science", 43)
    assert use(b).json()["stdout"] == "43\n" and sets(b, key) == {"science": second}
    assert place.keys("trees/") == ["trees/" + second]
    # what was changed on its way is not used, and leaves nothing
    # and another node's broom had taken its tree
    place.remove("trees/" + second)
    # and what is damaged there stops nothing else
    damaged = "sets/science/" + 64 * "0"
    place.write(damaged, 80 * b"x")
    third = made("hurt", 44)
    assert not helpers.poll(lambda: "trees that no set names stay: %s" % damaged not in a.logs, 20)
    place.remove(damaged)
    assert not helpers.poll(lambda: place.keys("trees/") != sorted("trees/" + t for t in (second, third)), 60)
    whole = place.read("trees/" + third)
    for bad in (whole[:-1] + bytes([whole[-1] ^ 1]), whole[:-600], b"",
                # another tree, well-formed, under this hash
                place.read("trees/" + second)):
        place.write("trees/" + third, bad)
        error_of(use(b, "hurt"), 500, "sandbox_error")
        assert not list((b.state_dir / "packages/building").iterdir())
    place.write("trees/" + third, whole)
    assert use(b, "hurt").json()["stdout"] == "44\n"
    if isinstance(place, S3):
        # another owner's build ends here while the tree of the name comes: neither is taken for the other
        made("raced", 45)
        theirs = owner_of(a, names[1])
        place.bucket.faults += [("GET", lambda d: d), ("GET", lambda d: plant(b, "raced", theirs, 46) and d)]
        error_of(use(b, "raced"), 500, "sandbox_error")
        here = b.state_dir / "packages/sets/raced.json"
        assert not place.bucket.faults and json.loads(here.read_text())["owner"] == "key:" + theirs
        here.unlink()
        assert use(b, "raced").json()["stdout"] == "45\n"
        assert b.request("DELETE", "/packages/raced", key=key).status_code == 200
    # removed on one node, on all
    for name in ("science", "hurt"):
        assert b.request("DELETE", "/packages/" + name, key=key).status_code == 200
    is_brought(b)
    assert place.keys("trees/") == place.keys("sets/") == [] and sets(a, key) == {}
    for node in (a, b):
        error_of(use(node), 422, "invalid_value")
    a.stop()  # a set that it does not ask for goes once an hour, and at its start
    a.start()
    for node in (a, b):
        assert not helpers.poll(lambda: list((node.state_dir / "packages/sets").iterdir()), 60)
    assert place.keys("sets/") == []


def test_a_name_is_one_owners_on_all_nodes(nodes):
    a, b, place = nodes
    if isinstance(place, S3):
        return  # as for a directory
    keys = [a.new_key("run", name, allow_risk_override=True) for name in ("one", "two")]
    owners = [owner_of(a, name) for name in ("one", "two")]
    a.stop()
    b.stop()
    for node, owner, value in zip((a, b), owners, (1, 2)):
        plant(node, "both", owner, value)
    a.start()
    is_brought(a)
    b.start()
    is_brought(b)
    assert len(place.keys("sets/both/")) == 1
    for node in (a, b):
        assert node.execute(ASK, risk_level="low", packages="both", key=keys[0]).json()["stdout"] == "1\n"
        assert node.execute(ASK, risk_level="low", packages="both", key=keys[1]).status_code in (403, 422)
    lost = b.request("GET", "/packages/both", key=keys[1]).json()
    assert lost["state"] == "failed" and "another owner" in lost["error"]["message"], lost
    assert a.request("DELETE", "/packages/both", key=keys[0]).status_code == 200


def test_a_bucket_is_named_before_the_host_or_refused_with_its_reason(database):
    """One that is away may come: then the service starts."""
    with Node(database, "c", {}) as c, contextlib.ExitStack() as stack:
        place = S3(c)
        stack.callback(place.close)
        c.configure(database.config("c"))
        assert command(c, "store", "migrate").returncode == 0
        for wrong, said in (({"place": "s3://none"}, "404 NoSuchBucket"), ({"region": "eu-other-1"}, "Malformed"),
                            ({"place": "s3://UP"}, "s3://BUCKET"),
                            ({"endpoint": "https://[x"}, "https://HOST"), ({"endpoint": None}, "content.endpoint"),
                            ({"credentials_file": str(place.dir / "none")}, "credentials_file")):
            values = {k: v for k, v in place.config(**wrong)["content"].items() if v}
            c.configure({**database.config("c"), "content": values})
            with pytest.raises(AssertionError):
                c.start()
            assert said in c.logs, (wrong, c.logs)
        place.bucket.stop()
        place.bucket.tls = (None, None)
        url = "http://localhost:%d" % place.bucket.port
        by_host = place.config(endpoint=url, addressing="host", place="s3://sandbox-test")
        c.configure({**database.config("c"), **by_host})
        c.start()
        c.key = c.key or database.key
        c.run("echo", "bash")
        c.wait_log("content.place: artifacts:.* waits, and is tried again")
        place.bucket.start()
        is_brought(c)
        assert [k for k in place.bucket.objects if k.startswith("artifacts/")]
        assert {p.split("/")[1] for method, p in place.bucket.seen if method == "PUT"} == {"artifacts"}


@pytest.mark.parametrize("arrange, remedy", (
    (lambda path: path.rmdir(), "make the directory"),
    (lambda path: path.chmod(0o707), "chmod o-w")))
def test_a_place_that_is_none_is_refused_at_the_start(database, arrange, remedy):
    with Node(database, "c", {}) as c:
        path = c.directory("contents", 0o700)
        arrange(path)
        c.configure({**database.config("c"), "content": {"place": str(path)}})
        with pytest.raises(AssertionError):
            c.start()
        assert remedy in c.logs and "content.place" in c.logs, c.logs
