"""test_service.py - sandboxd with a container engine: what it answers, counts and shows, and what becomes of runs when
sandbox-engine or the service dies. What needs no engine is in tests/integration/service/test_backend.py; what a
container is, in the tests beside this one."""
import concurrent.futures
import pathlib
import pwd
import sys

import helpers
import pytest

from engine import engines

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "service"))
import load  # noqa: E402
import service as services  # noqa: E402
import test_openapi  # noqa: E402


def config(engine, **more):
    image = engine.load(engines.LANGUAGES)
    return {"rate_limiting": {"enabled": False},
            "languages": {name: {"default_image": image} for name in ("python", "bash")},
            "docker": {"daemon": {"socket": engine.socket, "timeout": "2m"},
                       "container": {"accept_missing": ["user_ns", "monitoring", "kill_switches", "network",
                                                        "storage"]}}, **more}


@pytest.fixture(scope="module")
def service(docker):
    docker.allow(pwd.getpwnam(services.USER).pw_gid)
    with services.Service(config(docker, sandbox={"backend": "docker", "default_risk_level": "medium"})) as s:
        yield s


def ours(engine, execution):
    """-> what is left in the engine of this execution"""
    containers = [c for c in engine.expect(200, "GET", "/containers/json?all=1")
                  if c["Labels"].get("sandbox-agent.execution") == execution]
    volumes = [v for v in engine.expect(200, "GET", "/volumes")["Volumes"] or []
               if (v.get("Labels") or {}).get("sandbox-agent.execution") == execution]
    return containers + volumes


def test_a_run_in_a_container_has_the_result_of_any_other(service, docker):
    answer = test_openapi.check(service.execute("import sys; print(6 * 7); print('e', file=sys.stderr); sys.exit(3)",
                                                "python"))
    assert answer.status_code == 200, answer.text
    r = answer.json()
    helpers.check_result(r)
    assert (r["backend"], r["reason"], r["exit_code"], r["stdout"],
            r["stderr"]) == ("docker", "error", 3, "42\n", "e\n"), r
    assert r["isolation"]["engine"].startswith("Docker ") and any(m.startswith("user_ns: ")
                                                                  for m in r["isolation"]["missing"]), r["isolation"]
    assert not ours(docker, r["execution_id"])
    e = service.finished(service.submit("echo later", "bash", backend="docker"))
    assert (e["reason"], e["result"]["stdout"], e["result"]["backend"]) == ("completed", "later\n", "docker")
    *output, last = service.stream("echo one; echo two >&2", "bash")
    assert {x["type"] for x in output} == {"started", "stdout", "stderr"} and last["result"]["backend"] == "docker"
    found = service.outside("GET", "/metrics").text
    assert 'sandbox_agent_executions_total{level="medium",language="python",backend="docker",reason="error"} 1' in found


def test_capabilities_and_the_doctor_in_them_see_the_engine(service, docker):
    told = test_openapi.check(service.request("GET", "/capabilities")).json()
    assert {b["name"]: b["available"] for b in told["backends"]} == {"native": True, "docker": True, "remote": False}
    assert [b["name"] for b in told["backends"] if b["is_default"]] == ["docker"]
    assert set(told["doctor"]["containers"]) == {"engine", "isolation"}


def test_several_at_once_share_one_sandbox_engine(service, docker):
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda i: service.run("echo %d" % i, "bash", session=service.connection()), range(4)))
    assert [r["stdout"] for r in results] == ["%d\n" % i for i in range(4)] and {r["backend"]
                                                                                 for r in results} == {"docker"}
    assert not [left for r in results for left in ours(docker, r["execution_id"])]


def running(service):
    """-> id of an execution whose program runs in its container"""
    made = service.submit("echo begun; sleep 600", "bash", limits={"timeout": 100})
    said = next(e for e in service.events(made) if e["type"] != "started")
    assert said["data"] == "begun\n", said
    return made


def test_a_run_can_be_killed(service, docker):
    made = running(service)
    assert service.request("DELETE", "/executions/" + made).status_code in (200, 202)
    assert service.finished(made)["reason"] == "killed"
    assert not ours(docker, made)


def test_sandbox_engine_killed_ends_the_run_and_the_next_one_sweeps_it_away(service, docker):
    made = running(service)
    assert ours(docker, made)
    for pid in service.pids("sandbox-engine"):
        helpers.kill_quietly(pid)
    e = service.finished(made)
    assert (e["reason"], e["result"]["backend"]) == ("sandbox_error", "docker"), e
    service.wait_log(r"sandbox-engine \(pid \d+\) is gone")
    r = service.run("echo next", "bash")
    assert (r["stdout"], r["backend"]) == ("next\n", "docker")
    assert not helpers.poll(lambda: ours(docker, made), 60), "a container whose owner is dead is still there"


def test_a_service_that_was_killed_leaves_a_run_for_the_next_one(service, docker):
    made = running(service)
    assert ours(docker, made)
    service.kill9()
    service.start()
    assert service.finished(made)["reason"] == "sandbox_error"
    assert service.run("echo next", "bash")["stdout"] == "next\n"
    assert not helpers.poll(lambda: ours(docker, made), 60), "a container whose owner is dead is still there"
    load.check_audit(service)
