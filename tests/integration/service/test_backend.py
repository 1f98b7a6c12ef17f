"""Where a run takes place: `backend` of a request, sandbox.backend of the operator, and what becomes of a run whose
engine is not there. No engine is needed: those with one are in tests/integration/engine."""
import contextlib
import json
import socket
import time

import exposition
import helpers
import load
import pytest
from service import Service, error_of
from test_openapi import check

UNLIMITED = {"rate_limiting": {"enabled": False}}
# What the engine could not give medium risk anyway is not what is asked about here
ACCEPT = {"accept_missing": ["user_ns", "monitoring", "kill_switches", "network", "storage"]}


def with_engine(path, backend="native", timeout="30"):
    return {**UNLIMITED, "sandbox": {"backend": backend},
            "docker": {"daemon": {"socket": str(path), "timeout": timeout}, "container": ACCEPT}}


def need_engine_program():
    if not (helpers.PREFIX / "libexec/sandbox-agent/sandbox-engine").exists():
        helpers.skip("sandbox-engine is not built")


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """Native by default, and no engine at its socket."""
    need_engine_program()
    with Service(with_engine("/nonexistent/engine.sock")) as s:
        yield s


@pytest.fixture(scope="module")
def strict():
    """The operator has chosen containers."""
    need_engine_program()
    with Service(with_engine("/nonexistent/engine.sock", "docker")) as s:
        yield s


@contextlib.contextmanager
def listener(path, backlog=8):
    """Somebody at the socket who takes connections (as far as the backlog goes) and never says a word."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as s:
        s.bind(str(path))
        path.chmod(0o666)
        s.listen(backlog)
        yield s


def metric(service, name, **labels):
    family = exposition.families(service.outside("GET", "/metrics").text)["sandbox_agent_" + name]
    return sum(v for suffix, found, v in family.samples if not suffix and labels.items() <= found.items())


def reload(service, config):
    before = metric(service, "config_reloads_total", result="success")
    service.configure(config)
    service.hup()
    assert not helpers.poll(lambda: metric(service, "config_reloads_total", result="success") == before,
                            60), service.logs


def backends(service):
    answer = check(service.request("GET", "/capabilities"))
    assert answer.status_code == 200, answer.text
    return {b.pop("name"): b for b in answer.json()["backends"]}


# ---- words ----

def test_an_unknown_backend_is_refused_by_name_and_null_is_none(plain):
    for path in ("/execute", "/executions"):
        answer = check(plain.request("POST", path, json={"language": "bash", "code": "true", "backend": "lxc"}))
        message = error_of(answer, 422, "invalid_value")["message"]
        assert "backend" in message and "native, docker" in message, message
    assert plain.run("echo hi", "bash", backend=None)["backend"] == "native"
    r = plain.run("echo hi", "bash", backend="native")
    assert (r["backend"], r["stdout"]) == ("native", "hi\n")


# ---- no engine ----

def check_no_engine(error, path="/nonexistent/engine.sock"):
    assert path in error["message"] and "docker.daemon.socket" in error["details"]["remedy"], error


def test_without_an_engine_a_run_in_a_container_says_what_to_do_and_the_next_native_one_works(plain):
    before = metric(plain, "executions_total", backend="docker", reason="sandbox_error")
    answer = check(plain.execute("echo hi", "bash", backend="docker"))
    check_no_engine(error_of(answer, 503, "unavailable"))
    e = plain.finished(plain.submit("echo hi", "bash", backend="docker"))
    assert (e["reason"], e["result"]["backend"]) == ("sandbox_error", "docker"), e
    assert "/nonexistent/engine.sock" in e["result"]["error"]["message"] and e["result"]["error"]["remedy"], e
    # it has started, as far as the service knows: never a 500 in place of a stream, whoever is faster
    for _ in range(10):
        *_, last = plain.stream("echo hi", "bash", backend="docker")
        assert last["type"] == "error" and "/nonexistent/engine.sock" in json.dumps(last), last
    assert metric(plain, "executions_total", backend="docker", reason="sandbox_error") == before + 12
    assert plain.run("echo on", "bash")["backend"] == "native"


def test_a_run_without_an_engine_has_its_end_in_the_audit(plain):
    e = plain.finished(plain.submit("echo audited", "bash", backend="docker", agent_id="backend-audited"))
    for action in ("execution-decided", "execution-finished"):
        assert load.audited(plain, action).get(e["execution_id"]) == 1, action


# ---- the operator's choice ----

@pytest.mark.parametrize("path, more", [("/execute", {}), ("/execute", {"stream": True}), ("/executions", {})],
                         ids=["sync", "stream", "async"])
def test_where_the_operator_has_chosen_containers_native_is_refused_at_once(strict, path, more):
    before, rows = metric(strict, "refusals_total", rule="backend"), strict.request("GET",
                                                                                    "/executions").json()["executions"]
    answer = check(strict.request("POST", path, json={"language": "bash", "code": "true", "backend": "native", **more}))
    error = error_of(answer, 403, "policy_denied")
    assert error["details"]["rule"] == "backend" and "sandbox.backend" in error["details"]["remedy"], error
    assert metric(strict, "refusals_total", rule="backend") == before + 1
    assert strict.request("GET", "/executions").json()["executions"] == rows, "it was accepted"


def test_where_the_operator_has_chosen_containers_a_run_without_a_word_goes_there(strict):
    check_no_engine(error_of(strict.execute("true", "bash"), 503, "unavailable"))
    check_no_engine(error_of(strict.execute("true", "bash", backend="docker"), 503, "unavailable"))
    assert metric(strict, "executions_total", backend="native") == 0


# ---- what there is ----

def test_capabilities_name_the_backends(plain, strict):
    found = backends(plain)
    assert found["native"] == {"is_default": True, "available": True, "reason": None}
    assert (found["docker"]["is_default"] is False and found["docker"]["available"] is False
            and "/nonexistent/engine.sock" in found["docker"]["reason"])
    assert plain.request("GET", "/capabilities").json()["doctor"]["containers"]["engine"][
        "socket"] == "/nonexistent/engine.sock"
    found = backends(strict)
    assert found["docker"]["is_default"] is True and found["native"]["is_default"] is False


def test_capabilities_see_an_engine_come_and_do_not_wait_for_one_that_hangs(make_service):
    need_engine_program()
    service = make_service(with_engine("/nonexistent"))
    path = service.dir / "engine.sock"
    reload(service, with_engine(path))
    assert str(path) in backends(service)["docker"]["reason"]
    with listener(path):
        assert backends(service)["docker"] == {"is_default": False, "available": True, "reason": None}
    path.unlink()
    reload(service, with_engine(path, timeout="5m"))
    with listener(path, backlog=0), contextlib.ExitStack() as stack:
        waiting = 0
        while waiting < 64:  # until it takes no more
            c = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            c.setblocking(False)
            try:
                c.connect(str(path))
            except BlockingIOError:
                break
            waiting += 1
        assert waiting < 64
        begin = time.monotonic()
        assert backends(service)["docker"]["available"] is False
        assert time.monotonic() - begin < 60, "it waited for the engine"


# ---- reload ----

def test_another_socket_holds_for_the_next_run(make_service):
    need_engine_program()
    service = make_service(with_engine("/nonexistent/first.sock", "docker"))
    check_no_engine(error_of(service.execute("true", "bash"), 503, "unavailable"), "/nonexistent/first.sock")
    reload(service, with_engine("/nonexistent/second.sock", "docker"))
    check_no_engine(error_of(service.execute("true", "bash"), 503, "unavailable"), "/nonexistent/second.sock")
    assert "read at the start only" not in service.logs


# ---- sandbox-engine dies ----

def test_sandbox_engine_killed_ends_its_runs_and_the_next_one_has_another(make_service):
    need_engine_program()
    service = make_service(with_engine("/nonexistent"))
    path = service.dir / "engine.sock"
    reload(service, with_engine(path, timeout="5m"))
    with listener(path):
        waits = service.submit("echo never", "bash", backend="docker")
        assert not helpers.poll(lambda: not service.pids("sandbox-engine"), 60)
        assert not helpers.poll(lambda: service.execution(waits)["state"] != "running", 60)
        assert service.run("echo hi", "bash")["stdout"] == "hi\n", "native runs do not wait for the engine"
        before, restarts = service.pids("sandbox-engine"), metric(service, "launcher_restarts_total")
        for pid in before:
            helpers.kill_quietly(pid)
        e = service.finished(waits, patience=60)  # 5m are what it would wait for an answer
        assert (e["reason"], e["result"]["backend"]) == ("sandbox_error", "docker"), e
        service.wait_log(r"sandbox-engine \(pid %d\) is gone" % before[0])
        service.wait_log("sandbox-engine: a new one")
    path.unlink()
    check_no_engine(error_of(service.execute("true", "bash", backend="docker"), 503, "unavailable"), str(path))
    assert not set(before) & set(service.pids("sandbox-engine"))
    assert metric(service, "launcher_restarts_total") == restarts + 1 and metric(service, "launcher_up") == 1
    assert service.request("GET", "/executions/" + waits).status_code == 200


def test_a_silent_engine_keeps_a_run_no_longer_than_its_timeout(make_service):
    need_engine_program()
    service = make_service(with_engine("/nonexistent"))
    path = service.dir / "engine.sock"
    reload(service, with_engine(path, timeout="1"))
    with listener(path):
        begin = time.monotonic()
        error = error_of(service.execute("echo never", "bash", backend="docker"), 500, "sandbox_error")
        assert 0.9 < time.monotonic() - begin < 60 and "within 1 s" in error["message"], error
        reload(service, with_engine(path, timeout="5m"))
        waits = service.submit("echo never", "bash", backend="docker")
        assert service.request("DELETE", "/executions/" + waits).status_code == 202
        # the latter where the engine had been asked already
        assert service.finished(waits, patience=60)["reason"] in ("killed", "sandbox_error")
