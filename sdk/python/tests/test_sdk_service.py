"""Against the real sandboxd."""
import asyncio
import os
import re
import threading
import urllib.request

import pytest
import sdk_support as s

from sandbox_agent import (
    AsyncSandbox,
    Authentication,
    Conflict,
    ExecutionResult,
    InvalidRequest,
    NotFound,
    PolicyDenied,
    RateLimited,
    Sandbox,
    SandboxError,
    Timeout,
)


@pytest.fixture
def box(service):
    """With a key whose requests get the level that they ask for."""
    with Sandbox(service.url, service.new_key(allow_risk_override=True)) as b:
        yield b


def running(box, agent):
    return [e for e in box.executions(agent_id=agent) if e.state != "finished"]


def test_the_service_of_these_tests_keeps_its_cache_in_a_place_of_its_own(box, service):
    box.execute("bash", "echo scanned", risk_level="low")
    assert list(service.cache.iterdir()), "it has written elsewhere: as root into the machine's own?"


def test_everything_of_a_request_arrives(box):
    r = box.execute(
        "bash",
        "cat; echo \"$1|$K\"; echo oops >&2; exit 3",
        stdin="in\n",
        args=["-x y"],
        env={"K": "a=b c"},
        risk_level="low",
        timeout=20,
        memory="100m",
        cpu=0.5,
    )
    assert isinstance(r, ExecutionResult) and r.stdout == "in\n-x y|a=b c\n" and r["stderr"] == "oops\n"
    assert (r.reason, r.exit_code, r.risk_level) == ("error", 3, "low")
    assert r.isolation.limits.memory_bytes == 100 << 20 and r.isolation.limits.timeout_ms == 20000


def test_several_files_and_an_entry(box):
    r = box.execute(
        "bash",
        files={"lib.txt": b"\xffdata", "main.sh": "od -An -tx1 lib.txt | tr -d ' \\n'"},
        entry="main.sh",
        risk_level="low",
    )
    assert r.stdout == "ff64617461", r


def test_service_and_command_line_give_the_same_object(box, program):
    with Sandbox(mode="cli") as local:
        ours, theirs = (b.execute("bash", "echo x; exit 4", risk_level="medium") for b in (local, box))
    assert set(ours) - set(theirs) == set() and {
        k: ours[k] for k in ("reason", "exit_code", "stdout", "language")
    } == {k: theirs[k] for k in ("reason", "exit_code", "stdout", "language")}


@pytest.mark.parametrize(
    "language, code, level",
    [
        ("python", "import socket", "high"),
        ("bash", "curl x", "medium"),
        ("python", "exec('1')", "high"),
        ("cobol", "1", "low"),
        ("python", "1", "none"),
    ],
)
def test_service_and_command_line_refuse_with_the_same_exception(box, program, language, code, level):
    refusals = []
    for client in (box, Sandbox(mode="cli")):
        with pytest.raises(SandboxError) as e:
            client.execute(language, code, risk_level=level)
        refusals.append(
            (
                type(e.value),
                e.value.code,
                getattr(e.value, "rule", None),
                e.value.retry_safe,
                len(getattr(e.value, "findings", [])),
            )
        )
    assert refusals[0] == refusals[1]


def test_streamed_output_comes_while_the_program_runs_and_is_what_the_result_has(box, service):
    out, err, gate = [], [], s.Gate(service.place, "streamed")
    r = box.execute(
        "bash",
        "echo one; %s echo two; echo err >&2" % gate.wait,
        risk_level="low",
        volumes=gate.volumes,
        on_event=lambda e: e.text == "one\n" and gate.open(),
        on_stdout=out.append,
        on_stderr=err.append,
    )
    assert "".join(out) == r.stdout == "one\ntwo\n" and "".join(err) == r.stderr == "err\n"


def test_bytes_of_a_stream_are_exact(box):
    out = [
        e
        for e in box.stream("bash", r"printf 'a\xc3'; sleep 0.3; printf '\xa4\xff'", risk_level="low")
        if e.type == "stdout"
    ]
    assert "".join(e.text for e in out) == "a\xe4\ufffd" and b"".join(e.data for e in out) == b"a\xc3\xa4\xff"


def test_refusal_is_policy_denied_with_its_rule(box):
    for more in ({}, {"on_stdout": print}):
        with pytest.raises(PolicyDenied) as e:
            box.execute("python", "import socket", risk_level="high", **more)
        assert e.value.rule and isinstance(e.value.findings, list) and e.value.retry_safe and e.value.execution_id


def test_wrong_values_are_invalid_requests(box):
    for language, given in (
        ("cobol", {}),
        ("bash", {"timeout": -1}),
        ("bash", {"memory": "lots"}),
        ("bash", {"limits": {"tmieout": 1}}),
    ):
        with pytest.raises(InvalidRequest) as e:
            box.execute(language, "true", **given)
        assert e.value.status in (400, 422)


def test_limits_above_the_levels_are_lowered_or_refused(box):
    """What OpenAI's adapter and AGiXT's terminal ask for."""
    try:
        r = box.execute("bash", "echo hi", risk_level="medium", timeout=3600, memory="8g", cpu=0.25)
    except InvalidRequest as e:
        s.skip("this sandboxd refuses limits above the level's instead of lowering them: %s" % e)
    assert r.stdout == "hi\n" and {(c.field, c.requested) for c in r.limits_clamped} == {
        ("timeout", 3600),
        ("memory", 8 << 30),
    }
    assert r.isolation.limits.timeout_ms == 1000 * [c.granted for c in r.limits_clamped if c.field == "timeout"][0]
    assert box.execute("bash", "true", risk_level="medium", timeout=5, strict_limits=True).limits_clamped == []
    with pytest.raises(SandboxError, match="timeout") as e:
        box.execute("bash", "true", risk_level="medium", timeout=3600, strict_limits=True)
    assert e.value.status in (403, 422) and e.value.retry_safe


@pytest.mark.parametrize("given, name", [("Python", "python"), ("js", "node"), ("sh", "bash")])
def test_aliases_of_languages_run(box, given, name):
    code = {"python": "print(1)", "node": "console.log(1)", "bash": "echo 1"}[name]
    r = box.execute(given, code, risk_level="low")
    assert (r.stdout, r.language) == ("1\n", name)


def test_wrong_key_is_authentication(service):
    for key in ("sa_" + "x" * 43, None):
        with pytest.raises(Authentication):
            Sandbox(service.url, key).execute("bash", "true")


def test_submitted_execution_is_followed_awaited_and_found_again(box):
    execution = box.submit("bash", "echo one; sleep 0.3; echo two; echo data > f.txt", risk_level="low", agent_id=None)
    assert execution.state in ("queued", "running")
    events = list(execution.events())
    assert [e.number for e in events if e.number] == list(range(1, len([e for e in events if e.number]) + 1))
    assert "".join(e.text for e in events if e.type == "stdout") == "one\ntwo\n" and events[-1].type == "result"
    r = execution.wait(60)
    assert r == events[-1].result and execution.state == "finished" and box.execution(execution.id).result == r
    middle = events[1].number
    assert [e.number for e in execution.events(after=middle) if e.number] == [
        e.number for e in events if e.number and e.number > middle
    ]
    assert execution.artifact("stdout") == b"one\ntwo\n" and execution.artifact("f.txt") == b"data\n"
    assert {"stdout", "f.txt"} <= {a.name for a in execution.artifacts()}
    with pytest.raises(Conflict):
        execution.cancel()
    with pytest.raises(NotFound):
        execution.artifact("none")
    with pytest.raises(NotFound):
        box.execution("exec-none")


def test_cancel_kills(box):
    execution = box.submit("bash", "sleep 60", risk_level="low")
    with pytest.raises(Timeout):
        execution.wait(0.3)
    execution.cancel()
    assert execution.wait(60).reason == "killed"


def test_patience_and_cancelled_tasks_end_their_runs(box, service):
    with pytest.raises(Timeout):
        box.execute("bash", "sleep 60", risk_level="medium", agent_id="hasty", wait=0.7)

    async def story():
        async with AsyncSandbox(service.url, service.key) as a:
            task = asyncio.ensure_future(a.execute("bash", "sleep 60", risk_level="medium", agent_id="hasty"))
            stream = a.stream("bash", "echo on; sleep 60", risk_level="medium", agent_id="hasty")
            async with stream:
                async for event in stream:
                    if event.type == "stdout":
                        break
            others = await asyncio.gather(*[a.execute("bash", "echo %d" % i, risk_level="medium") for i in range(4)])
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return [r.stdout for r in others]

    assert asyncio.run(story()) == ["0\n", "1\n", "2\n", "3\n"]
    assert s.eventually(lambda: not running(box, "hasty"))
    assert {e.data["reason"] for e in box.executions(agent_id="hasty")} == {"killed"}


def test_same_idempotency_key_is_one_execution(box):
    first, second = (
        box.execute("bash", "echo $RANDOM$RANDOM", risk_level="low", idempotency_key="sdk-once") for _ in range(2)
    )
    assert first.execution_id == second.execution_id and first.stdout == second.stdout
    with pytest.raises(Conflict):
        box.execute("bash", "echo other", risk_level="low", idempotency_key="sdk-once")


def test_threads_share_a_client_and_its_connections(box):
    done = []
    threads = [
        threading.Thread(
            target=lambda n=n: done.extend(
                box.execute("bash", "echo %d" % n, risk_level="low").stdout == "%d\n" % n for _ in range(3)
            )
        )
        for n in range(6)
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert done == [True] * 18


def test_child_after_fork_has_connections_of_its_own(box):
    box.health()
    pid = os.fork()
    if pid == 0:
        os._exit(0 if box.execute("bash", "echo child", risk_level="low").stdout == "child\n" else 1)
    assert box.execute("bash", "echo parent", risk_level="low").stdout == "parent\n"
    assert os.waitpid(pid, 0)[1] == 0


def test_agents_scan_profiles_audit_and_health(box):
    r = box.execute("bash", "true", agent_id="team/keeper-1")
    assert r.trust.after == box.agent("team/keeper-1").trust
    assert box.set_trust("team/keeper-1", 0.9, "test").trust == 0.9
    assert "team/keeper-1" in [a.agent_id for a in box.agents()]
    assert box.quarantine("team/keeper-1", "test").standing == "quarantined"
    with pytest.raises(PolicyDenied):
        box.execute("bash", "true", agent_id="team/keeper-1")
    assert box.release("team/keeper-1", "test").standing == "good"
    assert box.ban("team/keeper-1", "test").standing == "banned"
    with pytest.raises(NotFound):
        box.agent("unknown")
    assert box.scan("python", "import os\nos.system('rm -rf /')").risk_increase > 0
    report = box.scan("python", "import os\nos.system('x')")
    assert report.risk_increase == 0 and [n.need for n in report.needs] == ["programs"]
    assert {p["risk_level"] for p in box.profiles()} == {"low", "medium", "high"}
    assert "values" in box.profile("high") and "python" in str(box.capabilities()["languages"])
    assert box.audit(execution=r.execution_id)
    assert box.health().status and box.is_available()


def test_key_that_may_not_override_gets_no_laxer_level_by_asking(service):
    with Sandbox(service.url, service.key) as plain:
        for agent in (None, "wishful-%s" % os.getpid()):
            asked = plain.execute("bash", "true", risk_level="low", agent_id=agent)
            assert asked.risk_level == "medium" and asked.agent_id == (agent or asked.agent_id)
            assert any("allow_risk_override does not allow" in reason for reason in asked.reasons), asked.reasons
            assert plain.execute("bash", "true", risk_level="high", agent_id=agent).risk_level == "high"
        nameless = plain.execute("bash", "true")
        assert plain.agent(nameless.agent_id).runs == 3


def test_ban_of_an_agent_ends_the_nameless_requests_of_its_key_alone(service):
    banned, good = "banned-%s" % os.getpid(), "good-%s" % os.getpid()
    with Sandbox(service.url, service.key) as ours, Sandbox(service.url, service.new_key()) as theirs:
        assert all(ours.execute("bash", "true", agent_id=a).ok for a in (banned, good)) and ours.execute("bash", "true")
        assert ours.ban(banned, "test").standing == "banned"
        for agent in (banned, None):
            with pytest.raises(PolicyDenied, match=banned) as e:
                ours.execute("bash", "true", agent_id=agent)
            assert e.value.code == "policy_denied"
        assert ours.execute("bash", "true", agent_id=good).ok and theirs.execute("bash", "true").ok
        assert ours.release(banned, "test").standing == "good" and ours.execute("bash", "true").ok


def test_volumes_below_the_allowed_roots_only(box, service):
    w = service.place.workspace("volume")
    assert (
        box.execute("bash", "pwd; echo hi > f", risk_level="medium", volumes=["%s:/workspace:rw" % w]).stdout
        == "/workspace\n"
    )
    assert (w / "f").read_text() == "hi\n"
    with pytest.raises(SandboxError):
        box.execute("bash", "true", risk_level="medium", volumes=["/usr/share:/x"])


def test_unix_socket_and_configuration_alone_are_enough(service, monkeypatch):
    with Sandbox("unix://%s" % service.socket, service.key) as box:
        assert box.execute("bash", "echo hi", risk_level="low").stdout == "hi\n"
    monkeypatch.setenv("SANDBOX_AGENT_API_KEY", service.key)
    monkeypatch.setenv("SANDBOX_AGENT_CONFIG", str(service.place.config))
    with Sandbox() as box:
        assert box.mode == "service" and box.execute("bash", "echo hi", risk_level="low").stdout == "hi\n"
    monkeypatch.setenv("PATH", "/nonexistent")  # nor a program that reads the file
    with Sandbox() as box:
        assert box.mode == "service"


def test_executor_of_agixt_against_the_service(service, monkeypatch):
    from agixt.sandbox import SandboxExecutor

    monkeypatch.setenv("SANDBOX_AGENT_API_KEY", service.key)
    with SandboxExecutor(config=str(service.place.config)) as executor:
        result = executor.execute(language="python", code="print('Hello from sandbox!')", agent_id="my-agent")
        assert result.stdout == "Hello from sandbox!\n" and executor.sandbox.mode == "service"


def sent_away(service):
    """-> how many requests were answered 429"""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(service.url.partition("/api/")[0] + "/metrics", timeout=60) as answer:
        return sum(
            map(
                int,
                re.findall(
                    r'^sandbox_agent_http_requests_total\{.*code="429".*\} (\d+)$', answer.read().decode(), re.M
                ),
            )
        )


def test_full_queue_is_waited_for_with_one_key_and_the_code_runs_once():
    """A real 429: one slot, taken until a request has been refused, and a second's patience in the queue."""
    own = s.Service("rate_limiting:\n  global:\n    max_concurrent_executions: 1\n", "    queue_timeout: 1s\n")
    try:
        with Sandbox(own.url, own.key, retries=8) as box:
            gate = s.Gate(own.place, "first")
            first = threading.Thread(
                target=lambda: box.execute("bash", gate.wait, risk_level="low", volumes=gate.volumes)
            )
            first.start()
            assert s.eventually(lambda: [e for e in box.executions() if e.state == "running"])
            with pytest.raises(RateLimited) as e:
                Sandbox(own.url, own.key, retries=0).execute(
                    "bash", "echo impatient", risk_level="low", agent_id="impatient"
                )
            assert e.value.code == "queue_full" and e.value.retry_after >= 1
            opener = threading.Thread(target=lambda: s.eventually(lambda: sent_away(own) >= 2) and gate.open())
            opener.start()
            assert box.execute("bash", "echo patient", agent_id="patient", risk_level="medium").stdout == "patient\n"
            first.join()
            opener.join()
            assert len([e for e in box.executions(agent_id="patient") if e.data["reason"] == "completed"]) == 1
    finally:
        own.close()
