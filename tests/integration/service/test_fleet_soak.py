"""A fleet in network namespaces of its own, under load while its parts fail (fleet_soak.py says what has to hold).

    make soak      all faults for 30 minutes, up to a minute each (FLEET_SOAK_SECONDS, SOAK_SEED), with its figures
"""
import os
import pathlib
import shutil
import signal
import subprocess

import helpers
import pytest
from postgresql import programs

SECONDS = float(os.environ.get("FLEET_SOAK_SECONDS", "0"))  # 0: the short one
SEED = os.environ.get("SOAK_SEED", "19")
SHORT = ["--seconds", "12", "--longest", "2", "--clients", "4"]
SOAK = pathlib.Path(__file__).with_name("fleet_soak.py")
OWN = ["unshare", "--net", "--mount", "--propagation", "private", "--"]
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


@pytest.fixture(scope="module", autouse=True)
def needed():
    if not helpers.is_root():
        helpers.skip("network namespaces with links between them, and a disk of a test's own, are root's")
    needs = {"haproxy": "haproxy", "nft": "nftables", "ip": "iproute2", "nsenter": "util-linux"}
    for program, package in needs.items():
        if not shutil.which(program, path=PATH):
            helpers.skip("%s is not installed (apt-get install %s)" % (program, package))
    if not programs():
        helpers.skip("PostgreSQL is not installed (Debian: postgresql-15)")
    if subprocess.run([*OWN, "true"], capture_output=True).returncode:
        helpers.skip("no namespaces of our own")


def soak(*words, patience, is_told=False):
    """It is killed with all that it started where it takes longer."""
    helpers.become_subreaper()
    env = {"PATH": PATH, "HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8"}
    child = subprocess.Popen([*OWN, "/usr/bin/python3", str(SOAK), *words], env=env, text=True,
                             stdout=None if is_told else subprocess.PIPE, stderr=subprocess.STDOUT)
    helpers.residents.add(child.pid)
    try:
        said, _ = child.communicate(timeout=patience)
    finally:
        for pid in helpers.descendants(child.pid) | {child.pid}:
            if child.poll() is None:
                helpers.kill_quietly(pid)
        child.wait()
        helpers.residents.discard(child.pid)
    assert child.returncode == 0, said
    left = helpers.poll(helpers.left_processes, 60)
    assert not left, left


def test_a_fleet_whose_parts_fail_keeps_its_word(capsys):
    signal.alarm(int(SECONDS * 2) + 900 if SECONDS else 180)
    if not SECONDS:
        return soak(*SHORT, "--seed", SEED, patience=170)
    with capsys.disabled():
        soak("--seconds", str(SECONDS), "--longest", "60", "--seed", SEED, patience=SECONDS * 2 + 800, is_told=True)
