"""GET /capabilities: the doctor's word is of now, or says of when it is; and however many ask, one doctor is at work.

The doctor of these services is the real one behind a door: it signs in, waits until the test opens, and then answers.
"""
import concurrent.futures
import shutil
import time

import helpers
import pytest
from service import DAEMON, Service, error_of

DOOR = """#!/bin/sh
if [ "$1" = doctor ]; then
    echo >> {dir}/signed
    while [ ! -e {dir}/open ]; do sleep 0.02; done
    [ ! -e {dir}/broken ] || exit 3
fi
exec {real} "$@"
"""


class Ward(Service):
    def start(self, wait=True):
        place = helpers.copy_installation(self.dir / "copy")
        shutil.copy(DAEMON, place / "bin")
        self.daemon, policy = place / "bin/sandboxd", place / "libexec/sandbox-agent/sandbox-policy"
        policy.rename(policy.with_name("sandbox-policy-itself"))
        self.ward = self.directory("ward")
        policy.write_text(DOOR.format(dir=self.ward, real=policy.with_name("sandbox-policy-itself")))
        policy.chmod(0o755)
        return super().start(wait)

    def doctors(self):
        return len(helpers.read(self.ward / "signed").splitlines())

    def ask(self, **params):
        return self.request("GET", "/capabilities", params=params, session=self.connection())


@pytest.fixture
def ward():
    with Ward() as s:
        yield s


def test_one_doctor_at_a_time_and_its_answer_is_everybodys(ward):
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        first = [pool.submit(ward.ask) for _ in range(6)]
        assert not helpers.poll(lambda: ward.doctors() == 0, 20)
        assert ward.run("echo served", "bash")["stdout"] == "served\n"  # nobody else waits
        (ward.ward / "open").touch()
        answers = [f.result(60) for f in first]
    assert {a.status_code for a in answers} == {200} and ward.doctors() == 1
    assert len({a.json()["doctor_at"] for a in answers}) == 1
    # a younger one is asked for, and meanwhile the old one is there for whoever is content with it
    (ward.ward / "open").unlink()
    at = answers[0].json()["doctor_at"]
    time.sleep(1.1)  # the youngest that one may ask for is a second old
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        younger = pool.submit(ward.ask, max_age=1)
        assert not helpers.poll(lambda: ward.doctors() < 2, 20)
        assert ward.ask(max_age=3600).json()["doctor_at"] == at and not younger.done()
        (ward.ward / "open").touch()
        assert younger.result(60).json()["doctor_at"] > at and ward.doctors() == 2


def test_a_doctor_that_fails_is_told_to_all_who_waited_and_the_next_is_asked_anew(ward):
    (ward.ward / "broken").touch()
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        asked = [pool.submit(ward.ask) for _ in range(3)]
        assert not helpers.poll(lambda: ward.doctors() == 0, 20)
        (ward.ward / "open").touch()
        codes = [error_of(f.result(60), 503, "unavailable")["message"] for f in asked]
    assert len(set(codes)) == 1 and "doctor" in codes[0]
    (ward.ward / "broken").unlink()
    assert ward.ask().status_code == 200


    for age in ("0", "86401", "soon", "-1"):
        error_of(ward.ask(max_age=age), 422, "invalid_value")
