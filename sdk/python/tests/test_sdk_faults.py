"""Faults that the real service does not produce on demand: refusals for a moment, half answers, connections that have
gone stale."""
import asyncio
import shutil
import socket
import ssl
import subprocess
import threading
import time

import pytest
import sdk_support as s

from sandbox_agent import (
    AsyncSandbox,
    Authentication,
    Cancel,
    Conflict,
    ConnectionLost,
    ExecutionFailed,
    Forbidden,
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

OK = s.answer(200, s.RESULT)
STDOUT = ("stdout", {"data": "a\n", "at_ms": 1})
END = ("result", {"result": s.RESULT})


def keys(server):
    return {r[2]["idempotency-key"] for r in server.requests}


def test_result_has_attributes_and_mapping_access(fake):
    with Sandbox(fake(OK).url, "sa_key") as box:
        r = box.execute("python", "print(42)")
    assert r.stdout == r["stdout"] == "42\n" and r.ok and r.exit_code == 0 and r.state == "finished"
    assert r.isolation.limits.pids == 10 and r.isolation["seccomp"] is True and r.isolation.missing == []
    assert r.to_dict() == s.RESULT and "reason" in r and dict(r) == s.RESULT
    with pytest.raises(AttributeError):
        r.stdout = "forged"
    with pytest.raises(AttributeError):
        r.no_such_member


def test_all_request_fields_are_sent_and_no_others(fake):
    server = fake(OK, OK)
    with Sandbox(server.url, "sa_key") as box:
        box.execute(
            "bash",
            files={"a.sh": "x", "b": b"\xff"},
            entry="a.sh",
            stdin=b"\x00",
            args=["1"],
            env={"K": "V"},
            agent_id="a",
            risk_level="low",
            backend="docker",
            signature="s",
            timeout=1.5,
            memory="1m",
            cpu=0.5,
            volumes=["/h:/w:rw", ("/h", "/x")],
        )
        box.execute("bash", "true")
    assert server.requests[0][3] == {
        "language": "bash",
        "files": [{"path": "a.sh", "content": "x"}, {"path": "b", "content_base64": "/w=="}],
        "entry": "a.sh",
        "stdin_base64": "AA==",
        "args": ["1"],
        "env": {"K": "V"},
        "agent_id": "a",
        "risk_level": "low",
        "backend": "docker",
        "signature": "s",
        "limits": {"timeout": 1.5, "memory": "1m", "cpu": 0.5},
        "volumes": [{"host": "/h", "inside": "/w", "mode": "rw"}, {"host": "/h", "inside": "/x", "mode": "ro"}],
    }
    assert server.requests[1][3] == {"language": "bash", "code": "true"}
    assert (
        server.requests[0][1] == "/api/v1/sandbox/execute"
        and server.requests[0][2]["authorization"] == "Bearer sa_key"
    )
    assert server.connections == 1  # kept


def test_rate_limit_is_waited_for_and_sent_again_with_the_same_key(fake):
    server = fake(s.error(429, "rate_limited", "no", {}, "Retry-After: 1"), OK)
    begin = time.monotonic()
    assert Sandbox(server.url).execute("python", "1").ok
    assert time.monotonic() - begin > 0.9
    assert len(server.requests) == 2 and len(keys(server)) == 1


def test_a_wait_that_is_too_long_is_raised_at_once(fake):
    server = fake(s.error(429, "rate_limited", "20 an hour", {"retry_after_seconds": 1800, "rule": "rate_limits.x"}))
    with pytest.raises(RateLimited) as e:
        Sandbox(server.url).execute("python", "1")
    assert e.value.retry_after == 1800 and e.value.retry_safe and e.value.status == 429 and len(server.requests) == 1


def test_service_that_drains_is_asked_again_and_not_for_ever(fake):
    server = fake(*[s.error(503, "unavailable")] * 9)
    with pytest.raises(Unavailable) as e:
        Sandbox(server.url, retries=2).execute("python", "1")
    assert e.value.retry_safe and len(server.requests) == 3


def test_nothing_listens_is_unavailable_and_safe_to_repeat(unused_port):
    with pytest.raises(Unavailable) as e:
        Sandbox("http://127.0.0.1:%d" % unused_port, retries=1).execute("python", "1")
    assert e.value.retry_safe


def test_connection_that_went_stale_is_replaced(fake):
    server = fake((OK, s.CLOSE), OK)
    with Sandbox(server.url) as box:
        box.execute("python", "1")
        assert s.eventually(lambda: server.ended == 1)
        assert box.execute("python", "1").ok
    assert server.connections == 2 and len(server.requests) == 2


def test_new_connection_that_ends_without_an_answer_is_not_repeated(fake):
    server = fake(s.CLOSE, OK)
    with pytest.raises(ConnectionLost) as e:
        Sandbox(server.url).execute("python", "1")
    assert not e.value.retry_safe and e.value.details["idempotency_key"] in keys(server) and len(server.requests) == 1


@pytest.mark.parametrize(
    "reply",
    [
        (OK[:-20], s.CLOSE),
        (b"HTTP/1.1 200 OK\r\nContent-Le", s.CLOSE),
        s.answer(200, b"<html>"),
        s.answer(200, b"[]"),
        s.answer(200, {"stdout": ""}),
        (b"SSH-2.0-x\r\n", s.CLOSE),
    ],
    ids=["half body", "half head", "no json", "no object", "no result", "no http"],
)
def test_half_and_foreign_answers_are_connection_lost(fake, reply):
    with pytest.raises(ConnectionLost) as e:
        Sandbox(fake(reply).url).execute("python", "1")
    assert not e.value.retry_safe


@pytest.mark.parametrize(
    "status, code, kind",
    [
        (400, "invalid_request", InvalidRequest),
        (401, "unauthenticated", Authentication),
        (403, "forbidden", Forbidden),
        (404, "not_found", NotFound),
        (403, "policy_denied", PolicyDenied),
        (409, "conflict", Conflict),
        (422, "invalid_value", InvalidRequest),
        (408, "request_timeout", Timeout),
        (500, "sandbox_error", SandboxFailed),
        (500, "internal_error", SandboxFailed),
        (418, "teapot", SandboxFailed),
        (413, "body_too_large", InvalidRequest),
    ],
)
def test_each_error_is_its_exception(fake, status, code, kind):
    server = fake(s.error(status, code, "because", {"remedy": "help", "findings": [{"rule": "r"}], "rule": "k"}))
    with pytest.raises(SandboxError) as e:
        Sandbox(server.url).execute("python", "1")
    assert type(e.value) is kind and e.value.code == code and e.value.message == "because" and e.value.remedy == "help"
    assert e.value.status == status and len(server.requests) == 1
    if kind is PolicyDenied:
        assert e.value.findings == [{"rule": "r"}] and e.value.rule == "k"


def test_error_without_an_error_object_is_told_by_its_status(fake):
    with pytest.raises(Authentication):
        Sandbox(fake(s.answer(401, b"proxy says no")).url).execute("python", "1")


def test_stream_is_delivered_in_order_and_the_connection_is_used_again(fake):
    server = fake(
        s.events(
            ("started", {"execution_id": "exec-1"}), STDOUT, ("stderr", {"data": "\ufffd", "data_base64": "/w=="}), END
        ),
        OK,
    )
    seen, out, err = [], [], []
    with Sandbox(server.url) as box:
        r = box.execute(
            "python",
            "1",
            on_event=lambda e: seen.append((e.number, e.type, e.data)),
            on_stdout=out.append,
            on_stderr=err.append,
        )
        box.execute("python", "1")
    assert (
        r.ok
        and [t for _, t, _ in seen] == ["started", "stdout", "stderr", "result"]
        and [n for n, _, _ in seen] == [1, 2, 3, 4]
    )
    assert out == ["a\n"] and err == ["\ufffd"] and seen[2][2] == b"\xff"
    assert server.connections == 1 and server.requests[0][3]["stream"] is True


@pytest.mark.parametrize(
    "reply", [(s.events(STDOUT, ends=False), s.CLOSE), s.events(STDOUT), (s.events(STDOUT, ends=False)[:-9], s.CLOSE)]
)
def test_stream_that_ends_before_its_result_is_an_error(fake, reply):
    out = []
    with pytest.raises(ConnectionLost) as e:
        Sandbox(fake(reply).url).execute("python", "1", on_stdout=out.append)
    assert "idempotency_key" in e.value.details and not e.value.retry_safe


def test_error_event_ends_the_stream_as_its_exception(fake):
    server = fake(s.events(("error", {"error": {"code": "policy_denied", "message": "no", "details": {"rule": "r"}}})))
    with pytest.raises(PolicyDenied) as e:
        list(Sandbox(server.url).stream("python", "1"))
    assert e.value.rule == "r"


def test_stream_that_is_left_closes_its_connection(fake):
    server = fake((s.events(STDOUT, ends=False)), s.HANG)
    with Sandbox(server.url) as box:
        with box.stream("python", "1") as stream:
            assert next(stream).type == "stdout"
        assert stream.result is None
        assert not box._chosen().transport._idle  # such a connection is not kept


def test_broken_events_are_taken_up_behind_the_last_one(fake):
    server = fake(
        s.answer(202, {"execution_id": "exec-1", "state": "queued"}),
        (s.events(("started", {}), STDOUT, ends=False), s.CLOSE),
        s.events(END, first=3),
    )
    execution = Sandbox(server.url).submit("python", "1")
    assert [e.number for e in execution.events()] == [1, 2, 3]
    assert "last-event-id" not in server.requests[1][2] and server.requests[2][2]["last-event-id"] == "2"


def test_wait_gives_up_and_leaves_the_execution_alone(fake):
    server = fake(
        s.answer(202, {"execution_id": "exec-1", "state": "queued"}),
        *[s.answer(200, {"execution_id": "exec-1", "state": "running", "result": None})] * 50,
    )
    execution = Sandbox(server.url).submit("python", "1")
    with pytest.raises(Timeout):
        execution.wait(0.2)
    assert execution.state == "running" and {r[0] for r in server.requests} == {"POST", "GET"}


def test_waiting_for_code_that_did_not_run_raises_as_running_it_does(fake):
    refused = dict(
        s.RESULT,
        reason="policy_denied",
        exit_code=None,
        findings=[{"rule": "r", "risk_increase": 1}],
        error={"code": "policy_denied", "message": "no", "step": None, "remedy": "x"},
    )
    server = fake(
        s.answer(202, {"execution_id": "exec-1", "state": "queued"}),
        s.answer(200, {"execution_id": "exec-1", "state": "finished", "result": refused}),
        s.answer(200, {"execution_id": "exec-1", "state": "finished", "reason": "killed", "result": None}),
    )
    execution = Sandbox(server.url).submit("python", "1")
    with pytest.raises(PolicyDenied) as e:
        execution.wait(5)
    assert e.value.rule == "r" and e.value.remedy == "x"
    with pytest.raises(SandboxFailed, match="was not kept"):
        execution.wait(5)


def test_an_answer_that_does_not_come_is_a_timeout_and_the_connection_ends(fake):
    for seconds in (0.2, 2, 20):  # the least within which this machine has asked
        server = fake(s.HANG)
        with pytest.raises(Timeout) as e:
            Sandbox(server.url).execute("python", "1", wait=seconds)
        if server.requests:
            break
    assert not e.value.retry_safe and server.gone.wait(60)


def test_cancel_from_another_thread_ends_the_call(fake):
    server = fake(s.HANG)
    cancel = Cancel()
    threading.Thread(target=lambda: s.eventually(lambda: server.requests) and cancel.cancel()).start()
    with pytest.raises(SandboxError):
        Sandbox(server.url).execute("python", "1", cancel=cancel)
    assert server.gone.wait(60)


def test_cancelled_task_ends_the_connection_and_the_loop_runs_on(fake):
    server = fake(s.HANG)

    async def story():
        async with AsyncSandbox(server.url) as box:
            task = asyncio.ensure_future(box.execute("python", "1"))
            ticks = 0
            while not server.requests:
                await asyncio.sleep(0.01)
                ticks += 1
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return ticks

    assert asyncio.run(story()) > 0 and server.gone.wait(60)


def test_threads_share_a_client(fake):
    server = fake(*[OK] * 40)
    with Sandbox(server.url) as box:
        done = []
        threads = [
            threading.Thread(target=lambda: [done.append(box.execute("python", "1").ok) for _ in range(5)])
            for _ in range(8)
        ]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    assert (
        done == [True] * 40
        and len({r[2]["idempotency-key"] for r in server.requests}) == 40
        and server.connections <= 8
    )


def test_redirect_is_not_followed_and_the_key_stays_here(fake):
    other = fake(OK)
    server = fake(s.answer(302, b"", "Location: %s/api/v1/sandbox/execute" % other.url))
    with pytest.raises(SandboxError):
        Sandbox(server.url, "sa_secret").execute("python", "1")
    assert not other.requests


def test_another_server_at_the_usual_place_gets_neither_key_nor_code(fake, tmp_path, monkeypatch):
    """auto: port 8080 is popular."""
    server = fake(s.answer(200, b"<html>"))
    config = tmp_path / "c.yaml"
    config.write_text("endpoints:\n  api:\n    port: %s\n" % server.url.rsplit(":", 1)[1])
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable) as e:
        Sandbox(api_key="sa_secret", config=config).execute("python", "1")
    assert "is not our service" in e.value.message
    assert [r[1] for r in server.requests] == ["/version"] and "authorization" not in server.requests[0][2]


def test_unix_socket_is_spoken_to(tmp_path):
    path = str(tmp_path / "api.sock")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()

    def serve():
        connection, _ = listener.accept()
        with connection, connection.makefile("rb") as stream:
            s.Fake.read(stream)
            connection.sendall(OK)

    threading.Thread(target=serve, daemon=True).start()
    assert Sandbox("unix://" + path).execute("python", "1").ok
    listener.close()


def test_tls_needs_a_certificate_that_is_trusted_for_this_name(tmp_path):
    if not shutil.which("openssl"):
        s.skip("openssl is not installed")
    pem, key = str(tmp_path / "c.pem"), str(tmp_path / "k.pem")
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=x",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
            "-keyout",
            key,
            "-out",
            pem,
        ],
        check=True,
        capture_output=True,
    )
    server_side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_side.load_cert_chain(pem, key)
    server = s.Fake([OK, OK], wrap=lambda c: server_side.wrap_socket(c, server_side=True))
    port = server.url.rsplit(":", 1)[1]
    with Sandbox("https://127.0.0.1:" + port, "sa_key", ca_file=pem) as box:
        assert box.execute("python", "1").ok and box.execute("python", "1").ok
    assert server.connections == 1
    for url, ca_file in (("https://127.0.0.1:" + port, None), ("https://localhost:" + port, pem)):
        with pytest.raises(SandboxError) as e:
            Sandbox(url, "sa_key", ca_file=ca_file).execute("python", "1")
        assert e.value.code == "tls_failed" and e.value.retry_safe
    with pytest.raises(SandboxError, match="ca_file"):
        Sandbox("https://127.0.0.1:" + port, ca_file="/none.pem").execute("python", "1")
    assert len(server.requests) == 2
    server.close()


def test_key_is_not_shown(fake):
    box = Sandbox(fake(OK).url, "sa_secret")
    box.execute("python", "1")
    assert "sa_secret" not in repr(box) + repr(box._settings) + repr(box._chosen().transport)


def test_check_raises_for_code_that_failed(fake):
    failed = dict(s.RESULT, reason="error", exit_code=3, stderr="Traceback\nValueError: x\n")
    server = fake(s.answer(200, failed), s.answer(200, failed))
    box = Sandbox(server.url)
    assert not box.execute("python", "1").ok
    with pytest.raises(ExecutionFailed, match="exit code 3: ValueError: x") as e:
        box.execute("python", "1", check=True)
    assert e.value.result.exit_code == 3 and e.value.code == "execution_error" and not e.value.retry_safe


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"code": "1", "files": {"a": "1"}},
        {"code": b"1"},
        {"code": "1", "args": "x"},
        {"code": "1", "volumes": ["/h"]},
    ],
)
def test_what_is_no_request_is_refused_before_it_is_sent(fake, given):
    server = fake()
    with pytest.raises(InvalidRequest) as e:
        Sandbox(server.url).execute("python", **given)
    assert e.value.retry_safe and not server.requests
