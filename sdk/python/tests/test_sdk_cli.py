"""Without a service: the command line on this host, really."""
import asyncio
import os
import re
import subprocess
import sys

import pytest
import sdk_support as s

from sandbox_agent import (
    AsyncSandbox,
    ExecutionResult,
    InvalidRequest,
    NotFound,
    PolicyDenied,
    RateLimited,
    Sandbox,
    SandboxError,
    SandboxFailed,
    Timeout,
    Unavailable,
)


def runs_of(place):
    """Processes that still have something to do with this test's place."""
    return [p for p in os.listdir("/proc") if p.isdigit() and str(place.path) in s_read("/proc/%s/cmdline" % p)]


def s_read(path):
    try:
        with open(path, "rb") as f:
            return f.read().decode("utf-8", "replace")
    except OSError:
        return ""


@pytest.fixture
def box(program):
    with Sandbox(mode="cli") as b:
        yield b


def test_everything_of_a_request_reaches_the_program(box):
    r = box.execute(
        "bash",
        "cat; echo \"$1|$K\"; echo oops >&2; ulimit -v >/dev/null; exit 3",
        stdin="in\n",
        args=["-x y"],
        env={"K": "a=b c"},
        risk_level="low",
        timeout=20,
        memory="100m",
        cpu=0.5,
    )
    assert isinstance(r, ExecutionResult) and r.stdout == "in\n-x y|a=b c\n" and r["stderr"] == "oops\n"
    assert (r.reason, r.exit_code, r.ok, r.risk_level) == ("error", 3, False, "low")
    assert (
        r.isolation.limits.memory_bytes == 100 << 20
        and r.isolation.limits.timeout_ms == 20000
        and r.isolation["seccomp"] is True
    )


def test_one_file_is_code_and_several_need_the_service(box):
    assert box.execute("bash", files={"main.sh": "echo hi"}, risk_level="low").stdout == "hi\n"
    with pytest.raises(InvalidRequest) as e:
        box.execute("bash", files={"a": "1", "b": "2"})
    assert e.value.code == "needs_service"


def test_bytes_go_in_and_text_comes_out(box):
    assert box.execute("bash", "od -An -tx1", stdin=b"\x00\xff", risk_level="low").stdout.split() == ["00", "ff"]


def test_deadline_of_the_run_is_a_result(box):
    for seconds in (0.3, 3, 30):  # the least within which this machine begins
        r = box.execute("bash", "echo begun; sleep 60", timeout=seconds, risk_level="low")
        assert r.reason == "timeout" and not r.ok
        if r.stdout:
            break
    assert r.stdout == "begun\n"


def test_own_patience_is_an_exception_and_ends_the_run(box, program):
    with pytest.raises(Timeout):
        box.execute("bash", "sleep 60", risk_level="low", wait=0.3)
    assert s.eventually(lambda: not runs_of(program))


def test_refusal_is_policy_denied_with_findings_and_rule(box):
    with pytest.raises(PolicyDenied) as e:
        box.execute("python", "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_RAW)", risk_level="high")
    assert e.value.rule == "blocked_modules" and e.value.findings and e.value.remedy
    assert e.value.execution_id.startswith("exec-") and e.value.retry_safe


def test_wrong_values_are_invalid_requests_that_name_them(box):
    for given in (
        {"language": "cobol"},
        {"language": "bash", "timeout": -1},
        {"language": "bash", "memory": "lots"},
        {"language": "bash", "risk_level": "none"},
        {"language": "bash", "backend": "lxc"},
    ):
        with pytest.raises(InvalidRequest) as e:
            box.execute(given.pop("language"), "true", **given)
        assert e.value.retry_safe


def test_backend_is_where_it_runs(box, program):
    program.config.write_text(
        program.config.read_text() + "docker:\n  daemon:\n    socket: /nonexistent/engine.sock\n"
        "  container:\n    accept_missing: [user_ns, monitoring, kill_switches, network, storage]\n"
    )
    assert box.execute("bash", "true", backend="native").backend == "native"
    with pytest.raises(SandboxFailed) as e:
        box.execute("bash", "true", risk_level="low", backend="docker")
    assert "/nonexistent/engine.sock" in str(e.value) and "docker.daemon.socket" in e.value.remedy
    with box.stream("bash", "true", risk_level="low", backend="docker") as stream, pytest.raises(SandboxFailed):
        list(stream)


def test_rate_limit_of_an_agent_is_rate_limited_with_retry_after(program):
    program.config.write_text(
        program.config.read_text() + "rate_limiting:\n  per_agent:\n    low_risk:\n      max_executions_per_hour: 1\n"
    )
    with Sandbox(mode="cli") as box:
        subprocess.run(
            [s.PROGRAM, "agents", "trust", "busy", "0.9", "--reason", "test", "--new", "--config", program.config],
            check=True,
            capture_output=True,
        )
        assert box.execute("bash", "true", agent_id="busy").ok
        with pytest.raises(RateLimited) as e:
            box.execute("bash", "true", agent_id="busy")
    assert e.value.retry_after > 60 and e.value.retry_safe


def test_output_comes_while_the_program_runs(box, program):
    events, gate = [], s.Gate(program, "gate")
    for event in box.stream(
        "bash", "echo one; %s echo two; echo err >&2" % gate.wait, risk_level="low", volumes=gate.volumes
    ):
        events.append(event)
        if event.text == "one\n":
            gate.open()
    assert sorted(e.type for e in events[2:4]) == ["stderr", "stdout"]  # two pipes
    assert [e.type for e in events[:2] + events[4:]] == ["started", "stdout", "result"]
    assert events[-1].result.stdout == "one\ntwo\n" and events[-1].result.ok


def test_streamed_bytes_are_whole_characters_and_exact(box):
    pieces = list(box.stream("bash", r"printf 'a\xc3'; sleep 0.3; printf '\xa4\xff'", risk_level="low"))
    out = [e for e in pieces if e.type == "stdout"]
    assert "".join(e.text for e in out) == "a\xe4\ufffd" and b"".join(e.data for e in out) == b"a\xc3\xa4\xff"


def test_refusal_while_streaming_is_raised(box):
    with pytest.raises(PolicyDenied):
        box.execute("python", "import socket", risk_level="high", on_stdout=print)


def test_leaving_a_stream_ends_the_run(box, program):
    with box.stream("bash", "echo on; sleep 60", risk_level="low") as stream:
        while next(stream).type != "stdout":
            pass
    assert s.eventually(lambda: not runs_of(program))


def test_cancelled_task_ends_the_run_while_others_go_on(program):
    async def story():
        async with AsyncSandbox(mode="cli") as box:
            long = asyncio.ensure_future(box.execute("bash", "sleep 60", risk_level="low"))
            results = await asyncio.gather(*[box.execute("bash", "echo %d" % i, risk_level="low") for i in range(3)])
            long.cancel()
            with pytest.raises(asyncio.CancelledError):
                await long
            seen = [e.text async for e in box.stream("bash", "echo a", risk_level="low") if e.type == "stdout"]
            return [r.stdout for r in results], seen

    assert asyncio.run(story()) == (["0\n", "1\n", "2\n"], ["a\n"])
    assert s.eventually(lambda: not runs_of(program))


def test_agents_scan_profiles_artifacts_and_audit(box):
    assert box.execute("bash", "true", agent_id="keeper").ok
    assert box.set_trust("keeper", 0.85, "test").trust == 0.85
    r = box.execute("bash", "echo out; echo data > file.txt", agent_id="keeper")
    agent = box.agent("keeper")
    assert agent.agent_id == "keeper" and r.trust.after == agent.trust
    assert box.set_trust("keeper", 0.9, "test").trust == 0.9
    assert [a.agent_id for a in box.agents()] == ["keeper"]
    assert box.quarantine("keeper", "test").standing == "quarantined"
    with pytest.raises(PolicyDenied):
        box.execute("bash", "true", agent_id="keeper")
    assert box.release("keeper", "test").standing == "good"
    assert box.ban("keeper", "test").standing == "banned"
    with pytest.raises(NotFound):
        box.agent("unknown")
    assert box.scan("python", "import os\nos.system('rm -rf /')").risk_increase > 0
    report = box.scan("python", "import os\nos.system('x')")
    assert report.risk_increase == 0 and [n.need for n in report.needs] == ["programs"]
    assert {p["risk_level"] for p in box.profiles()} == {"low", "medium", "high"}
    assert box.profile("high")["values"]["resources"]["pids"] == 10
    kept = box.artifacts(r.execution_id)
    assert box.artifact(r.execution_id, "stdout") == b"out\n" and "stdout" in [a.name for a in kept]
    assert box.artifact(r.execution_id, "file.txt") == b"data\n"
    for name in (r.execution_id, "none"), ("exec-none", "stdout"):
        with pytest.raises(NotFound):
            box.artifact(*name)
    with pytest.raises(NotFound):
        box.artifacts("exec-none")
    assert any(r.execution_id in str(dict(e)) for e in box.audit(agent="keeper", limit=50))
    assert box.health().status == "ok" and box.is_available()


def test_capabilities_are_the_doctors(box):
    assert "host" in box.capabilities()


def test_names_cannot_become_options(box):
    for call in (
        lambda: box.agent("--json"),
        lambda: box.artifact("--help", "x"),
        lambda: box.set_trust("-x", 1, "r"),
    ):
        with pytest.raises(InvalidRequest):
            call()
    r = box.execute("bash", "echo \"$1\"", args=["--json"], risk_level="low")
    assert r.stdout == "--json\n"


def test_without_service_and_program_it_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable) as e:
        Sandbox(mode="cli").execute("bash", "true")
    assert "SANDBOX_AGENT_BIN" in e.value.remedy
    monkeypatch.setenv("SANDBOX_AGENT_BIN", "/nonexistent")
    with pytest.raises(SandboxError):
        Sandbox(mode="cli")


def test_auto_takes_the_program_where_nothing_listens(program, unused_port):
    program.config.write_text(program.config.read_text() + "endpoints:\n  api:\n    port: %d\n" % unused_port)
    with Sandbox() as box:
        assert box.mode == "cli" and box.execute("bash", "echo hi", risk_level="low").stdout == "hi\n"


def test_named_service_that_is_not_there_is_no_reason_to_run_here(program, unused_port):
    with pytest.raises(Unavailable):
        Sandbox("http://127.0.0.1:%d" % unused_port, retries=0).execute("bash", "true")


def test_executor_of_agixt_as_the_issue_writes_it(program):
    from agixt.sandbox import SandboxExecutor

    with SandboxExecutor(config=str(program.config), mode="cli") as executor:
        result = executor.execute(language="python", code="print('Hello from sandbox!')", agent_id="my-agent")
        assert result.stdout == result["stdout"] == "Hello from sandbox!\n"
        assert executor.analyze("eval(input())").needs
        assert asyncio.run(executor.aexecute("bash", "echo hi", risk_level="low")).stdout == "hi\n"


def test_progress_is_one_line_on_a_terminal_and_erased(program):
    """In a child, since it is about its stderr."""
    import pty

    leader, follower = pty.openpty()
    code = "from sandbox_agent import Sandbox, _progress; _progress.AFTER = 0.05; " \
           "Sandbox(mode='cli').execute('bash', 'sleep 0.3', risk_level='low')"
    child = subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(s.ROOT / "sdk/python")},
        stderr=follower,
        stdout=subprocess.DEVNULL,
    )
    os.close(follower)
    text = b""
    while True:
        try:
            piece = os.read(leader, 4096)
        except OSError:
            break
        if not piece:
            break
        text += piece
    os.close(leader)
    assert child.wait() == 0
    assert re.search(rb"sandbox: bash runs: \d+ s", text) and text.endswith(b" \r") and b"\n" not in text
    quiet = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(s.ROOT / "sdk/python")}, capture_output=True
    )
    assert quiet.returncode == 0 and quiet.stderr == b""
