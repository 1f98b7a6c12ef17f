"""Any node answers for what another one has: it asks the owner, with the caller's own key (docs/fleet.md)."""
import contextlib
import hashlib
import json
import pathlib
import subprocess
import tempfile

import helpers
import load
import pytest
import test_ports
from haproxy import certificate, free_port
from postgresql import PostgreSQL
from service import BASE, Service, error_of
from test_ports import Ports, read_head
from test_sessions import Session

HOP = {"Sandbox-Node-Hop": "1"}


def merge(*parts):
    whole = {}
    for part in parts:
        for key, value in part.items():
            whole[key] = merge(whole.get(key, {}), value) if isinstance(value, dict) else value
    return whole


class Node(Service):
    """One of a fleet, with an address that the others know before it is started."""
    trusted = None

    def __init__(self, database, name, fleet, *more):
        self.port = free_port()
        config = merge(load.UNLIMITED, database.config(name, fleet.pop("user", "sandbox")), {"fleet": fleet}, *more)
        fleet["address"] = fleet.get("address") or "http://127.0.0.1:%d" % self.port
        super().__init__(merge(config, {"fleet": fleet}), options=["--listen", "127.0.0.1:%d" % self.port], start=False)

    @staticmethod
    def connection():
        s = Service.connection()
        s.verify = str(Node.trusted) if Node.trusted else True
        return s


@pytest.fixture(scope="module")
def database():
    with contextlib.ExitStack() as stack:
        p = PostgreSQL()
        stack.callback(p.close)
        yield p


def command(service, *words):
    argv = [helpers.AGENT, *words, "--config", service.config_path]
    return subprocess.run(argv, env=service.env, capture_output=True, text=True, timeout=60)


def lines(service, *words):
    """-> of its audit"""
    return [json.loads(line) for line in command(service, "audit", "search", "--json", *words).stdout.splitlines()]


@pytest.fixture
def other_place():
    with readable_directory() as path:
        yield path


@pytest.fixture(scope="module")
def place():
    with readable_directory() as path:
        yield path


@contextlib.contextmanager
def readable_directory():
    """Also by the user that a service of root's becomes."""
    with tempfile.TemporaryDirectory(prefix="test-fleet-") as path:
        pathlib.Path(path).chmod(0o755)
        yield pathlib.Path(path)


@pytest.fixture(scope="module")
def nodes(database, place):
    """a has TLS, and b has none: what b is asked for and a has goes over TLS."""
    Node.trusted = certificate(place)
    port = free_port()
    tls = {"endpoints": {"api": {"tls": {"certificate": str(Node.trusted), "key": str(place / "key.pem")}}}}
    with contextlib.ExitStack() as stack:
        a = Node(database, "a", {"address": "https://127.0.0.1:%d" % port}, tls)
        a.options, a.port = ["--listen", "127.0.0.1:%d" % port], port
        b = Node(database, "b", {"ca_file": str(Node.trusted), "user": "b"})
        for node in (a, b):
            stack.enter_context(node)
        assert command(a, "store", "migrate").returncode == 0
        database.ask("CREATE ROLE b LOGIN")
        assert command(a, "store", "grant", "b").returncode == 0
        a.start()
        b.start()
        assert a.url.startswith("https:") and a.key and not b.key
        b.key = a.key
        yield a, b


def test_events_of_another_node_come_as_they_are_said(nodes):
    a, b = nodes
    gate = a.gate()
    e = a.submit("echo one; " + gate.wait + "echo two", "bash", volumes=gate.volumes)
    events = b.events(e)
    heard = []
    for event in events:
        heard.append(event)
        if "one" in str(event):
            break
    assert b.execution(e)["state"] == "running"
    gate.open()
    heard += list(events)
    assert "two" in str(heard) and [x["_id"] for x in heard] == list(range(1, len(heard) + 1))
    done = b.finished(e)
    assert done["result"]["stdout"] == "one\ntwo\n" and done["result"] == a.execution(e)["result"]
    assert [x["_id"] for x in b.events(e)] == [x["_id"] for x in heard], "from the store, when it has ended"
    late = list(b.events(e, params={"from": 2}))
    assert late[0]["_id"] == 2


def test_another_node_cancels(nodes):
    a, b = nodes
    gate = a.gate()
    e = a.submit(gate.wait, "bash", volumes=gate.volumes)
    assert not helpers.poll(lambda: b.execution(e)["state"] != "running", 60)
    assert b.request("DELETE", "/executions/" + e, params={"reason": "enough"}).status_code == 202
    assert b.finished(e)["reason"] == a.finished(e)["reason"] == "killed"
    error_of(b.request("DELETE", "/executions/" + e), 409, "conflict")
    stopped = lines(a, "--action", "execution-stopped")
    assert [line["agentsandbox"].get("via_node") for line in stopped] == ["b"]
    assert "(via node b)" in command(a, "audit", "search", "--action", "execution-stopped").stdout
    assert "via_node" not in json.dumps(lines(a, "--execution", e)), "a was asked for the run itself"


def test_artifacts_and_receipt_are_asked_of_the_node_that_has_them(nodes):
    a, b = nodes
    e = a.submit("head -c 300000 /dev/urandom > data.bin; sha256sum < data.bin", "bash")
    told = b.finished(e)["result"]["stdout"].split()[0]
    found = b.request("GET", "/executions/%s/artifacts" % e)
    assert found.status_code == 200 and "data.bin" in found.text, found.text
    data = b.request("GET", "/executions/%s/artifacts/%s" % (e, "files/data.bin" if "files/data.bin" in found.text
                                                              else "data.bin"))
    assert data.status_code == 200 and hashlib.sha256(data.content).hexdigest() == told, data.headers
    for path in ("/executions/%s/artifacts", "/executions/%s/receipt", "/executions/%s/artifacts/none"):
        here, there = (n.request("GET", path % e) for n in (a, b))
        assert (here.status_code, here.content) == (there.status_code, there.content), path
        assert here.headers["Content-Type"] == there.headers["Content-Type"]


def test_a_key_that_may_not_see_an_execution_does_not_see_it_through_another_node(nodes):
    a, b = nodes
    owner, stranger, reader = a.new_key("run"), a.new_key("run"), a.new_key("read")
    gate = a.gate()
    e = a.submit("echo mine; " + gate.wait, "bash", key=owner, volumes=gate.volumes)
    s = Session(a, key=owner)
    assert not helpers.poll(lambda: b.execution(e, key=owner)["state"] != "running", 60)
    paths = ("/executions/" + e, "/executions/%s/events" % e, "/executions/%s/artifacts" % e,
             "/executions/%s/receipt" % e, "/sessions/" + s.id, "/sessions/%s/files/" % s.id)
    for headers in ({}, HOP):
        for path in paths:
            error_of(b.request("GET", path, key=stranger, headers=headers), 404, "not_found")
            error_of(b.request("GET", path, key="sa_" + 43 * "x", headers=headers), 401, "unauthenticated")
            assert b.request("GET", path, key=None, headers=headers).status_code == 401
        error_of(b.request("DELETE", "/executions/" + e, key=stranger, headers=headers), 404, "not_found")
        error_of(b.request("DELETE", "/executions/" + e, key=reader, headers=headers), 403, "forbidden")
        error_of(b.request("POST", "/sessions/%s/execute" % s.id, key=stranger, headers=headers,
                           json={"command": "id"}), 404, "not_found")
    # an administrator sees it, and works in it no more than at its own node
    assert b.request("GET", "/sessions/" + s.id).status_code == 200
    error_of(b.request("POST", "/sessions/%s/execute" % s.id, json={"command": "id"}), 403, "forbidden")
    # the hop's mark is no right: it only keeps the request here
    assert error_of(b.request("GET", "/executions/%s/events" % e, key=owner, headers=HOP), 503, "unavailable")
    gone = command(a, "keys", "revoke", a.request("GET", "/keys").json()["keys"][-3]["id"])
    assert gone.returncode == 0, gone.stderr
    assert b.request("GET", "/sessions/" + s.id, key=owner).status_code == 401
    gate.open()
    b.finished(e)


@pytest.fixture(scope="module")
def session(nodes):
    """Made at a, and asked for at b."""
    s = Ports(nodes[0], key=nodes[0].override(), ttl=3600)
    s.service = nodes[1]
    return s


def test_a_session_is_worked_in_through_another_node(session, nodes):
    a, _ = nodes
    assert session.show()["session_id"] == session.id
    job = session.run("echo there > here; cat here")
    assert job["stdout"] == "there\n"
    said = lines(a, "--execution", job["execution_id"])
    assert said and {line["agentsandbox"]["via_node"] for line in said} == {"b"}
    assert session.ask(path="/files/here").text == "there\n"
    data = bytes(range(256)) * 200
    assert session.ask("PUT", "/files/big", data=data).status_code == 200
    assert session.ask(path="/files/big").content == data
    large = data * 400  # in pieces, with and without a length, through both services
    for sent in (large, iter([large[:1 << 20], large[1 << 20:]])):
        assert session.ask("PUT", "/files/large", data=sent).status_code == 200
        assert session.run("sha256sum < /workspace/large")["stdout"].split()[0] == hashlib.sha256(large).hexdigest()
    made = session.ask("POST", "/contexts", json={"language": "python"})
    assert made.status_code == 201, made.text
    context = made.json()["context_id"]
    for code, wanted in (("x = 6", ""), ("print(x * 7)", "42\n")):
        cell = session.ask("POST", "/contexts/%s/execute" % context, json={"code": code})
        assert cell.status_code == 200 and cell.json()["stdout"] == wanted, cell.text
    assert session.ask("DELETE", "/contexts/" + context).status_code < 300
    process = session.ask("POST", "/processes", json={"argv": ["cat"], "stdin": True})
    assert process.status_code in (201, 202), process.text
    assert a.request("GET", "/sessions/" + session.id, key=session.key).json()["key_id"] == session.made["key_id"]


def test_a_job_whose_client_leaves_the_other_node_ends(session):
    """As at its own node: who waits for an answer holds the job."""
    with contextlib.suppress(Exception):
        session.ask("POST", "/execute", json={"command": "sleep 600"}, timeout=2)
    assert not helpers.poll(lambda: "sleep" in session.run("ps -e || true")["stdout"], 60)


@pytest.mark.parametrize("name", [
    "test_the_server_gets_the_request_without_what_shows_who_sent_it",
    "test_the_answer_has_nothing_that_speaks_for_the_services_origin",
    "test_every_method_and_form_of_body",
    "test_a_stream_of_events_comes_as_it_is_sent",
    "test_a_websocket_is_passed_both_ways",
    "test_a_server_that_does_not_do_as_servers_do"])
def test_ports_are_reached_through_another_node(session, name):
    getattr(test_ports, name)(session)


def test_the_page_and_callers_without_a_key_are_told_where_to_ask(nodes, database):
    a, b = nodes
    e = a.submit("echo x", "bash")
    a.finished(e)
    made = b.outside("POST", "/ui/session", key=b.key, headers={"Origin": b.url})
    assert made.status_code in (200, 201, 204), made.text
    headers = {"X-Sandbox-Session": made.json().get("token", "1") if made.content else "1"}
    told = b.request("GET", "/executions/%s/artifacts" % e, key=None, headers=headers)
    assert told.status_code in (401, 409), told.text


def test_a_node_with_tls_sends_no_key_in_the_clear(nodes):
    a, b = nodes
    e = b.submit("echo x", "bash")
    b.finished(e)
    said = error_of(a.request("GET", "/executions/%s/artifacts" % e), 503, "unavailable")
    assert "no address that this node asks" in said["message"] and "https" in said["details"]["remedy"], said
    assert a.execution(e)["result"]["stdout"] == "x\n", "status and result are the store's"


def test_an_address_that_leads_to_this_very_node_is_asked_once(nodes, database):
    _, b = nodes
    with Node(database, "c", {"address": "http://127.0.0.1:%d" % b.port}) as c:
        c.start()
        c.key = b.key
        e = c.submit("echo x", "bash")
        c.finished(e)
        said = error_of(b.request("GET", "/executions/%s/artifacts" % e), 503, "unavailable")
        assert "from another node" in said["message"], said
        assert c.request("GET", "/executions/%s/artifacts" % e).status_code == 200
    assert b.is_ready()


def test_an_address_that_no_node_would_ask_is_refused_at_the_start(nodes, database):
    for address in ("http://db.example.com:1", "https://u@h", "https://h/x", "ftp://h", "http://127.0.0.1.example.com"):
        with Node(database, "d", {"address": address}) as d:
            said = subprocess.run(d.words(), env=d.env, capture_output=True, text=True, timeout=60)
            assert said.returncode and "fleet.address" in said.stderr, (address, said.stderr)


def test_a_stranger_behind_a_node_s_address_gets_no_key(nodes, database, other_place):
    """Another certificate of the same name, and of no authority of ours."""
    _, b = nodes
    other = certificate(other_place)
    port = free_port()
    argv = ["openssl", "s_server", "-accept", "127.0.0.1:%d" % port, "-cert", other, "-key", other_place / "key.pem",
            "-quiet"]
    with open(other_place / "said", "wb") as said, \
            Node(database, "e", {"address": "https://127.0.0.1:%d" % port}) as e, \
            subprocess.Popen(argv, stdout=said, stderr=said, stdin=subprocess.PIPE) as server:
        helpers.residents.add(server.pid)
        e.start()
        e.key = b.key
        x = e.submit("echo x", "bash")
        e.finished(x)
        refused = error_of(b.request("GET", "/executions/%s/artifacts" % x), 503, "unavailable")
        assert "cannot be asked" in refused["message"], refused
        server.kill()
        server.wait()
        helpers.residents.discard(server.pid)
    assert "Bearer" not in (other_place / "said").read_text(errors="replace")


def test_an_owner_that_is_killed_in_mid_run(nodes, database):
    """Its stream breaks off, and it is not there for a while; then its runs have ended, on all nodes."""
    _, b = nodes
    with Node(database, "f", {}) as f:
        f.start()
        f.key = b.key
        gate = f.gate()
        x = f.submit("echo one; " + gate.wait, "bash", volumes=gate.volumes)
        events = b.events(x)
        for event in events:
            if "one" in str(event):
                break
        f.kill9()
        with contextlib.suppress(Exception):
            list(events)
        assert not helpers.poll(lambda: b.request("GET", "/executions/%s/events" % x).status_code != 503, 60)
        refused = b.request("GET", "/executions/%s/events" % x)
        assert refused.status_code == 503 and int(refused.headers["Retry-After"]) > 0
        assert b.execution(x)["state"] == "running", "nothing is known of its end yet"
        database.ask("UPDATE nodes SET seen_ms = seen_ms - 30000 WHERE name = 'f'")
        done = b.finished(x, patience=150)
        assert done["reason"] == "sandbox_error", done
        error = done["result"]["error"]
        assert (error["code"], error["retryable"]) == ("node_lost", True), error
        assert "node_lost" in str(list(b.events(x)))
