"""SIGHUP under load: a good file is taken at once and whole, a bad one leaves what was there; nobody notices in
between."""
import copy
import re

import helpers
import load
import pytest
import requests
import yaml
from load import Load
from service import preloaded

UNLIMITED = {"rate_limiting": {"enabled": False}}


@pytest.fixture
def service(make_service):
    s = make_service(UNLIMITED, start=False)
    s.profiles = s.dir / "profiles"
    s.profiles.mkdir()
    for level in helpers.LEVELS:
        write_profile(s, level)
    s.configure({**UNLIMITED, "sandbox": {"paths": {"profiles_dir": str(s.profiles)}, "default_risk_level": "low"}})
    return s.start()


def write_profile(s, level, memory=None):
    profile = copy.deepcopy(helpers.shipped(level))
    if memory:
        profile["resources"]["memory"] = "%dm" % memory
    new = s.profiles / "new"
    new.write_text(yaml.safe_dump(profile, sort_keys=False))
    new.chmod(0o644)
    new.rename(s.profiles / (level + "-risk.yaml"))


def reloads(s):
    """-> (good ones, bad ones), as the metrics say"""
    text = s.outside("GET", "/metrics").text
    def total(result):
        return int(re.search(r'^\w*_config_reloads_total\{result="%s"\} (\d+)$' % result, text, re.M).group(1))
    return total("success"), total("failure")


def hup(s):
    before = sum(reloads(s))
    s.hup()
    assert not helpers.poll(lambda: sum(reloads(s)) == before, 90), "SIGHUP was not heeded:\n" + s.logs


def memory_now(s):
    r = s.run("true", "bash", risk_level="medium")
    return r["isolation"]["limits"]["memory_bytes"] >> 20


def test_reloads_under_load_fail_no_request_and_bad_files_change_nothing(service):
    seen = set()
    with Load(service, clients=8, kinds=("sync", "stream", "async")) as crowd:
        wanted = memory_now(service)
        crowd.wait_for(1)
        for i in range(8):
            if i % 2:
                (service.profiles / "medium-risk.yaml").write_text(["resources: {memory: lots}\n", "{",
                                                                    "name: x\nname: y\n", "- low\n"][i // 2 % 4])
            else:
                wanted = 200 + i
                write_profile(service, "medium", wanted)
            good, bad = reloads(service)
            hup(service)
            assert reloads(service) == ((good, bad + 1) if i % 2 else (good + 1, bad)), service.logs[-2000:]
            assert memory_now(service) == wanted
            seen.add(wanted)
            crowd.wait_for(len(crowd.results) + 2)
    crowd.check_replies()
    assert not crowd.refused and len(crowd.results) > 16, (crowd.refused, len(crowd.results))
    limits = {r["isolation"]["limits"]["memory_bytes"] >> 20 for r in crowd.results.values()}
    assert limits <= seen | {256}, limits - seen


def test_a_bad_configuration_is_told_with_its_line_and_the_old_one_stays(service):
    good = service.config_path.read_text()
    service.config_path.write_text(good + "sandboxx: {}\n")
    hup(service)
    said = service.wait_log("sandboxx").string
    assert re.search(r"config\.yaml:\d+", said), said
    assert service.run("echo ok", "bash")["stdout"] == "ok\n"
    assert service.outside("GET", "/readyz").status_code == 200
    service.config_path.write_text(good)
    hup(service)
    assert service.run("echo ok", "bash")["stdout"] == "ok\n"


def test_a_run_that_was_begun_keeps_its_policy_and_the_next_one_has_the_new(service):
    old = memory_now(service)
    gate = service.gate()
    events = service.stream("echo begun; " + gate.wait, "bash", risk_level="medium", volumes=gate.volumes)
    assert [next(events)["type"], next(events)["type"]] == ["started", "stdout"]
    write_profile(service, "medium", 222)
    hup(service)
    assert memory_now(service) == 222
    gate.open()
    assert list(events)[-1]["result"]["isolation"]["limits"]["memory_bytes"] >> 20 == old


def test_limits_of_the_service_itself_follow_a_reload(service):
    service.configure({**UNLIMITED,
                       "sandbox": {"paths": {"profiles_dir": str(service.profiles)}, "default_risk_level": "high"}})
    hup(service)
    assert service.run("echo ok", "bash")["risk_level"] == "high"
    service.configure({**UNLIMITED,
                       "sandbox": {"paths": {"profiles_dir": str(service.profiles)}, "default_risk_level": "low"}})
    hup(service)
    assert service.run("echo ok", "bash")["risk_level"] == "low"


def test_what_a_reload_does_not_change_is_named(make_service):
    """A protection that is asked for and not in force yet must not be passed over."""
    s = make_service({**UNLIMITED, "security": {"require_authentication": False}})
    hup(s)
    assert "is read at the start only" not in s.logs
    s.configure({**UNLIMITED, "security": {"require_authentication": True, "audit_sync": "always"},
                 "endpoints": {"api": {"queue_size": 7}}})
    hup(s)
    for key, now, stays in (("security.require_authentication", "true", "false"),
                            ("security.audit_sync", "always", "group")):
        assert ("reload: %s is %s now, but is read at the start only: %s stays in force"
                % (key, now, stays) in s.logs), s.logs
    assert "queue_size" not in s.logs, s.logs
    assert s.request("GET", "/profiles", key=None).status_code == 200, "what is told must be true"
    s.stop()
    s.start()
    assert s.request("GET", "/profiles", key=None).status_code == 401


# A SIGHUP in the middle of its start, by way of a call that every start makes.
EARLY_SIGHUP = """
#include <signal.h>
int mallopt(int what, int value)
{
    (void)what, (void)value;
    return raise(SIGHUP) == 0;
}
"""


def test_a_sighup_before_it_listens_is_a_reload_and_not_the_end(make_service):
    with preloaded(EARLY_SIGHUP) as env:
        s = make_service(UNLIMITED, env=env)
    assert not helpers.poll(lambda: reloads(s) == (0, 0)), s.logs
    assert s.run("true", "bash")["reason"] == "completed"
