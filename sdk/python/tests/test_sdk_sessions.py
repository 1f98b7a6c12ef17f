"""Sessions through a real service: jobs, contexts, processes, files, snapshots; and what must not be sent twice."""
import asyncio
import io
import tarfile

import pytest
import sdk_support as s

from sandbox_agent import (
    AsyncSandbox,
    Conflict,
    ConnectionLost,
    InvalidRequest,
    NotFound,
    PolicyDenied,
    Sandbox,
    Unavailable,
)


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


def test_a_workspace_goes_back_to_a_checkpoint(session):
    session.files.write("wd/a", "one")
    first = session.checkpoint().checkpoint_id
    session.execute("echo two > wd/a; echo new > wd/b", check=True)
    second = session.checkpoint()
    assert second.kept >= 2 and second.session_id == session.id
    assert session.undo(first).dropped == [second.checkpoint_id]
    assert (session.files.read("wd/a"), session.files.exists("wd/b")) == (b"one", False)
    session.files.remove("wd")
    session.undo()
    assert session.files.read("wd/a") == b"one"
    with pytest.raises(NotFound):
        session.undo(second.checkpoint_id)


def test_a_batch_answers_each_program(client):
    programs = [{"language": "bash", "code": code, "risk_level": "low"} for code in ("echo 1", "exit 3")]
    answers = sorted(client.batch(programs), key=lambda a: a.line)
    assert [(a.line, a.fault, a.exit_code) for a in answers] == [(1, "none", 0), (2, "program", 3)]
    assert answers[0].stdout == "1\n"
    with pytest.raises(InvalidRequest):
        client.batch([{"language": "bash", "code": b""}])

    async def story(box):
        answers = box.batch([{"language": "bash", "code": "sleep 1000", "agent_id": "py-batch"}, *programs])
        async for answer in answers:
            if answer.fault == "program":
                break
        await answers.aclose()
        while [e.state for e in await box.executions(agent_id="py-batch")] not in ([], ["finished"]):
            await asyncio.sleep(0.05)
        return [a.stdout async for a in box.batch(programs[:1])]

    assert awaited(client, story) == ["1\n"]


# ---- asyncio ----


def awaited(client, story):
    """Runs story(async client)"""

    async def whole():
        async with AsyncSandbox.around(client) as box:
            return await story(box)

    return asyncio.run(whole())


def test_asyncio_has_sessions(client):
    async def story(box):
        async with await box.create_session(risk_level="low", ttl=600, metadata={"of": "aio"}) as session:
            said = []
            jobs = [session.execute("sleep 0.2; echo %d" % i, on_stdout=said.append) for i in range(4)]
            assert [r.stdout for r in await asyncio.gather(*jobs)] == ["%d\n" % i for i in range(4)]
            assert sorted(said) == ["%d\n" % i for i in range(4)]
            assert [e.type async for e in session.stream("echo on")][-1] == "result"
            context = await session.create_context()
            await context.execute("x = 20", check=True)
            assert (await context.execute("x + 1"))["results"][0]["text/plain"] == "21"
            cat = await session.start("cat", stdin=True)
            assert await cat.write("one\n", eof=True) == 4 and (await cat.wait()).stdout == "one\n"
            assert cat.id in [p.id for p in await session.processes()]
            assert (await (await session.submit("echo later")).wait(60)).stdout == "later\n"
            await session.files.write("a", "before")
            first = await session.checkpoint()
            await session.files.write("a", "after")
            assert (await session.undo(first.checkpoint_id)).checkpoint_id == first.checkpoint_id
            assert await session.files.read("a") == b"before" and (await session.fetch(1)).status == 502
            async with session.files.watch(recursive=True) as changes:
                async for event in changes:
                    if event.type == "watching":
                        await session.files.mkdir("made")
                    if event.get("name") == "made":
                        break
            kept = await session.snapshot()
            assert kept.snapshot_id in [k.snapshot_id for k in await box.snapshots()]
            await box.remove_snapshot(kept.snapshot_id)
            assert (await session.pause()).state == "paused" and (await session.resume()).state == "running"
            assert [x.id for x in await box.sessions(metadata={"of": "aio"}, state="running")] == [session.id]
            with pytest.raises(InvalidRequest):
                await session.files.read("/etc/passwd")
        return (await (await box.session(session.id)).refresh()).state

    assert awaited(client, story) == "ended"


def test_a_cancelled_task_ends_its_job_and_its_cell_and_leaves_no_session_behind(client):
    idle = 0

    async def story(box):
        nonlocal idle
        async with await box.create_session(risk_level="low", ttl=600) as session:
            context = await session.create_context()
            idle = (await session.refresh()).data["jobs_running"]
            begun = asyncio.Event()
            job = asyncio.ensure_future(session.execute("echo on; sleep 1000", on_stdout=lambda _: begun.set()))
            await begun.wait()
            sleeps = asyncio.Event()
            cell = asyncio.ensure_future(
                context.execute("print(1, flush=True); import time; time.sleep(1000)", on_stdout=lambda _: sleeps.set())
            )
            await sleeps.wait()
            process = await session.start("sleep 1000")
            waits = asyncio.ensure_future(process.wait())
            await until(lambda: running(session, 2))  # a cell is no job
            for task in (job, cell, waits):
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            await until(lambda: running(session, 1))
            assert (await process.refresh()).state == "running"  # a client that leaves does not end it
            await until(lambda: is_free(context))

        makes = asyncio.ensure_future(box.create_session(risk_level="low", metadata={"of": "gone"}))
        await asyncio.sleep(0)  # it has begun, in a thread
        makes.cancel()
        with pytest.raises(asyncio.CancelledError):
            await makes
        await until(lambda: gone(box))

    async def running(session, count):
        return (await session.refresh()).data["jobs_running"] - idle == count

    async def is_free(context):
        try:
            return (await context.execute("2"))["results"][0]["text/plain"] == "2"
        except Conflict:
            return False

    async def gone(box):
        found = await box.sessions(metadata={"of": "gone"})
        return all(x.state == "ended" for x in found)

    async def until(condition):
        while not await condition():
            await asyncio.sleep(0.05)

    awaited(client, lambda box: asyncio.wait_for(story(box), 90))


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
