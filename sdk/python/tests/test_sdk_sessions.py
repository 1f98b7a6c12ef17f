"""Sessions through a real service: jobs, contexts, processes, files, snapshots; and what must not be sent twice."""
import io
import tarfile

import pytest
import sdk_support as s

from sandbox_agent import Conflict, ConnectionLost, InvalidRequest, NotFound, PolicyDenied, Sandbox, Unavailable


@pytest.fixture(scope="module")
def client(shared_service):
    with Sandbox(shared_service.url, shared_service.new_key(allow_risk_override=True), mode="service") as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def session(client):
    with client.create_session(
        risk_level="low", ttl=600, env={"A": "a"}, metadata={"of": "py"}, files={"in/x": b"ex"}, agent_id="py-sessions"
    ) as found:
        yield found


def test_jobs(client, session):
    r = session.execute("cat; echo $A$B; pwd", stdin=b"in\n", env={"B": "b"}, cwd="/tmp")
    assert (r.stdout, r["session_id"]) == ("in\nab\n/tmp\n", session.id)
    assert session.execute(argv=["cat", "in/x"]).stdout == "ex"
    assert session.execute(language="py", code="import sys; print(sys.argv[1])", args=["y"]).stdout == "y\n"
    said = []
    r = session.execute("echo out; echo err >&2; exit 3", on_stdout=said.append, on_stderr=said.append)
    assert (r.reason, r.exit_code, sorted(said)) == ("error", 3, ["err\n", "out\n"])
    with session.stream("echo on; sleep 1000") as stream:
        for event in stream:
            if event.type == "stdout":
                break
    s.eventually(lambda: client.execution(stream.execution_id).state == "finished")
    job = session.submit("sleep 1000")
    job.cancel()
    assert job.wait(60).reason == "killed"
    for given in ({}, {"command": "a", "argv": ["b"]}, {"code": "1"}, {"argv": "b"}):
        with pytest.raises(InvalidRequest):
            session.execute(**given)


def test_a_context_keeps_variables(session):
    context = session.create_context()
    context.execute("x = 20", check=True)
    shown = context.execute("x + 1")["results"][0]
    assert (shown["kind"], shown["text/plain"]) == ("value", "21")
    assert context.execute("1/0")["exception"]["name"] == "ZeroDivisionError"
    session.files.write("undone", "before")
    first = context.checkpoint()
    context.execute("x = 1; open('undone', 'w').write('after')", check=True)
    assert context.checkpoint().kept == 2
    undone = context.undo(first.checkpoint_id)
    assert undone.checkpoint_id == context.undo().checkpoint_id == first.checkpoint_id and len(undone.dropped) == 1
    assert context.execute("x")["results"][0]["text/plain"] == "20" and session.files.read("undone") == b"before"
    context.restart()
    assert context.execute("x")["exception"]["name"] == "NameError"
    context.end()


def test_processes(session):
    cat = session.start("cat", stdin=True)
    assert cat.write("one\n") == 4
    cat.close_input()
    assert cat.wait().stdout == "one\n"
    with pytest.raises(Conflict):
        cat.write("more")
    command = 'trap "echo got; exit 4" USR1; stty size; read; stty size; while :; do sleep 0.05; done'
    shell = session.start(command, pty=(33, 91))
    last = until_said(shell, "33 91", 0)
    shell.resize(22, 77)
    shell.write("\n")
    until_said(shell, "22 77", last)
    assert shell.id in [p.id for p in session.processes() if p.data["pty"]]
    shell.signal("USR1")
    assert shell.wait().exit_code == 4 and session.process(shell.id).refresh().state == "finished"
    long = session.start(argv=["sleep", "1000"])
    long.kill()
    assert long.wait().reason == "killed"


def until_said(process, needle, last):
    said = ""
    for event in process.events(after=last):
        last = event.number
        said += event.text if event.type == "stdout" else ""
        if needle in said:
            return last
    raise AssertionError(said)


SERVER = """import http.server
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])) + self.path.encode()
        self.send_response(418)
        self.send_header("X-Key", str(self.headers["Authorization"]))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
http.server.HTTPServer(("127.0.0.1", 8000), Handler).serve_forever()
"""


def test_a_server_of_the_session_is_asked(session):
    job = session.submit(argv=["python3", "-c", SERVER])
    s.eventually(lambda: session.fetch(8000, method="POST", data="").status == 418)
    answer = session.fetch(8000, "/a?b", method="POST", data="body")
    assert (answer.status, answer.body, answer.headers["X-Key"]) == (418, b"body/a?b", "None")
    job.cancel()
    assert job.wait(60) and session.fetch(8000).status == 502


def test_files(session):
    files = session.files
    assert files.write("/workspace/d/a b%.sh", "echo hi", mode=0o755).mode == "0755"
    assert session.execute("'d/a b%.sh'").stdout == "hi\n" and files.read_text("./d/a b%.sh") == "echo hi"
    files.move("d/a b%.sh", "/workspace/d/c")
    files.mkdir("d/e/f")
    assert sorted(e.name for e in files.list("d", depth=2)) == ["c", "e", "e/f"]
    assert files.exists("d/c") and not files.exists("d/a") and files.stat("d/e").type == "directory"
    for path in ("/etc/passwd", "a/../../b", "/workspaceX"):
        with pytest.raises(InvalidRequest):
            files.read(path)
    with pytest.raises(NotFound):
        files.read("none")
    archive = files.archive("d")
    assert "c" in [m.name.rpartition("/")[2] for m in tarfile.open(fileobj=io.BytesIO(archive)).getmembers()]
    assert files.unpack("copy", archive) >= 3 and files.read("copy/c") == b"echo hi"
    seen = []
    for event in files.watch(recursive=True):
        seen.append((event.type, event.get("name")))
        if event.type == "watching":
            files.mkdir("watched/below")
        if event.get("name") == "watched/below":
            break
    assert ("create", "watched") in seen
    files.remove("d")
    assert not files.exists("d")


def test_life(client, session):
    assert [f.id for f in client.sessions(metadata={"of": "py"}, state="running")] == [session.id]
    with client.create_session(risk_level="low", files={"kept": "yes"}) as other:
        assert other.data["expires_at"] < other.extend(3600).data["expires_at"]
        assert other.pause().state == "paused"
        with pytest.raises(Conflict):
            other.execute("true")
        other.resume()
        kept = other.snapshot().snapshot_id
        assert kept in [f.snapshot_id for f in client.snapshots()]
    s.eventually(lambda: client.session(other.id).state == "ended")
    with client.create_session(risk_level="low", from_snapshot=kept) as third:
        assert third.files.read("kept") == b"yes"
    client.remove_snapshot(kept)


def test_what_policy_refuses_is_an_exception_and_the_session_goes_on(shared_service):
    with Sandbox(shared_service.url, shared_service.new_key(), mode="service") as sandbox:
        with sandbox.create_session(risk_level="medium", agent_id="py-newcomer") as session:
            with pytest.raises(PolicyDenied) as e:
                session.execute("kill -9 -1")
            assert e.value.rule == "session_level" and session.execute("echo on").stdout == "on\n"


def test_sessions_need_the_service(program):
    with pytest.raises(Unavailable, match="service"):
        Sandbox(mode="cli").create_session()


def test_package_sets_are_asked_for_as_the_contract_says(fake):
    one = s.answer(200, {"name": "p", "state": "ready"})
    made = s.answer(202, {"name": "p", "state": "building"})
    server = fake(made, s.answer(200, {"packages": [{"name": "p"}]}), one, one, s.answer(200, s.RESULT))
    with Sandbox(server.url, mode="service") as sandbox:
        assert sandbox.create_packages("p", python="six==1.16.0\n").state == "building"
        assert [p.name for p in sandbox.packages()] == ["p"] and sandbox.package("p/q").state == "ready"
        assert sandbox.remove_packages("p").name == "p"
        sandbox.execute("python", "1", packages="p")
    asked = [(method, path.replace("/api/v1/sandbox", ""), body) for method, path, _, body in server.requests]
    assert asked == [
        ("POST", "/packages", {"name": "p", "python": "six==1.16.0\n"}),
        ("GET", "/packages", None),
        ("GET", "/packages/p%2Fq", None),
        ("DELETE", "/packages/p", None),
        ("POST", "/execute", {"language": "python", "code": "1", "packages": "p"}),
    ]


def test_a_job_is_not_sent_again_when_the_connection_breaks(fake):
    made = s.answer(201, {"session_id": "sess-1", "state": "running"})
    server = fake(made, s.CLOSE)
    with Sandbox(server.url, mode="service") as sandbox:
        session = sandbox.create_session(packages="set", network="none", memory="64m")
        with pytest.raises(ConnectionLost):
            session.execute("echo once")
    first, second = [body for _, _, _, body in server.requests]
    assert first == {"packages": "set", "network": {"mode": "none"}, "limits": {"memory": "64m"}}
    assert second == {"command": "echo once"}
