"""The launcher dies: what had not begun is begun by the next one, what ran is an error, and what succeeded is no
error."""
import os
import signal
import threading
import time

import helpers
import load
from service import error_of


def ask_in_thread(service, body, answers):
    def ask():
        with service.connection() as session:
            answers.append(service.request("POST", "/execute", json=body, session=session, timeout=120))
    t = threading.Thread(target=ask, daemon=True)
    t.start()
    return t


def stop(pid):
    os.kill(pid, signal.SIGSTOP)
    assert not helpers.poll(lambda: helpers.read("/proc/%d/stat" % pid).rpartition(")")[2].split()[0] != "T", 30)


def test_a_run_that_never_started_is_begun_by_the_next_launcher(make_service):
    """A stopped launcher reads no plan: what is sent to it has not started when it is killed."""
    service = make_service(load.UNLIMITED)
    gate = service.directory("marks")
    assert service.run("echo warm", "bash")["stdout"] == "warm\n"
    body = {"language": "bash", "code": "cat; echo x >> /gate/began; echo end", "stdin": "given ", "risk_level": "low",
            "volumes": [{"host": str(gate), "inside": "/gate", "mode": "rw"}]}
    service.configure({**load.UNLIMITED, "endpoints": {"api": {"volume_roots": [str(gate)]}}})
    service.hup()
    service.wait_log("loaded anew")
    for round_ in range(3):
        launcher, answers = load.launcher_of(service), []
        stop(launcher)
        threads = [ask_in_thread(service, body, answers) for _ in range(4)]
        assert not helpers.poll(lambda: service.outside("GET", "/metrics", session=service.connection()).text.count(
            "sandbox_agent_executions_running 4") != 1, 60)
        time.sleep(0.3)  # all plans are sent by now; were one not, the next launcher gets it anyway
        os.kill(launcher, signal.SIGKILL)
        for t in threads:
            t.join(90)
        for a in answers:
            assert a.status_code == 200, "%s\n%s" % (a.text, service.logs[-2000:])
            r = a.json()
            assert (r["reason"], r["exit_code"], r["error"], r["stdout"]) == ("completed", 0, None, "given end\n"), r
        assert len(answers) == 4
        assert (gate / "began").read_text() == "x\n" * 4 * (round_ + 1), "a program began twice, or not at all"
    ends = load.audited(service, "execution-finished")
    assert set(ends.values()) == {1}, ends
    load.check_audit(service)


def test_a_run_that_was_cut_is_an_error_and_none_that_succeeded_is(make_service):
    """Many short runs while launchers die: no result is both."""
    service = make_service(load.UNLIMITED)
    results, errors, ends = [], [], threading.Event()

    def work():
        with service.connection() as session:
            while not ends.is_set():
                a = service.request("POST", "/execute", json={"language": "bash", "code": "echo hi"}, session=session,
                                    timeout=120)
                (results if a.status_code == 200 else errors).append(a.json())
    threads = [threading.Thread(target=work, daemon=True) for _ in range(6)]
    for t in threads:
        t.start()
    for _ in range(6):
        many = len(results) + 10
        assert not helpers.poll(lambda: len(results) < many, 60)
        helpers.kill_quietly(load.launcher_of(service))
    many = len(results) + 20
    assert not helpers.poll(lambda: len(results) < many, 60)
    ends.set()
    for t in threads:
        t.join(90)
    for r in results:
        if r["reason"] != "sandbox_error":
            assert r["error"] is None and (r["reason"], r["exit_code"], r["stdout"]) == ("completed", 0, "hi\n"), r
        else:
            assert r["error"] and r["exit_code"] == 125, r
    for e in errors:
        assert e["error"]["code"] in ("sandbox_error", "unavailable"), e


def test_a_dead_launcher_is_no_unsupported_host(make_service):
    service = make_service(load.UNLIMITED)
    gate = service.gate()
    gate.volumes[0]["mode"] = "rw"
    cut = service.submit("touch /gate/began; " + gate.wait, "bash", volumes=gate.volumes)
    assert not helpers.poll(lambda: service.execution(cut)["state"] != "running", 60)
    assert not helpers.poll(lambda: not (gate.place / "began").exists(), 60)
    helpers.kill_quietly(load.launcher_of(service))
    r = service.finished(cut)["result"]
    assert r["reason"] == "sandbox_error" and r["error"]["code"] == "sandbox_error", r["error"]
    assert "died during the run" in r["error"]["message"], r["error"]


def test_a_service_without_a_launcher_says_503_and_when_to_come_again(make_service):
    service = make_service({**load.UNLIMITED, "endpoints": {"api": {"launcher": None}}}, start=False)
    program = helpers.copy_installation(service.dir / "prefix")
    service.daemon = program / "bin/sandboxd"
    service.start()
    launcher = program / "libexec/sandbox-agent/sandbox-launcher"
    launcher.rename(launcher.with_suffix(".away"))
    helpers.kill_quietly(load.launcher_of(service))
    answer = service.execute("true", "bash")
    error = error_of(answer, 503, "unavailable")
    assert answer.headers["Retry-After"] and "sandbox-launcher" in error["message"], error
    assert service.outside("GET", "/readyz").status_code == 503
    launcher.with_suffix(".away").rename(launcher)
    assert not helpers.poll(lambda: service.outside("GET", "/readyz").status_code != 200, 60)
    assert service.run("echo on", "bash")["stdout"] == "on\n"
