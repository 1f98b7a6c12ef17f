"""Docker without root, and without control groups: it says of each container that the limits it was told are set, and
sets none."""
import os

import pytest

from engine import engines
from engine.backend import Cell


@pytest.fixture
def rootless(box, private_engine):
    """-> a cell whose command line runs as the engine's user"""
    docker = private_engine(engines.RootlessDocker)
    docker.load(engines.BUSYBOX)
    for path in (box.dir, *box.dir.rglob("*")):
        os.chown(path, docker.uid, docker.uid)
    box.prefix = ["/usr/bin/setpriv", "--reuid=%d" % docker.uid, "--regid=%d" % docker.uid, "--clear-groups"]
    # its namespace has the host's network, and may make no bridge
    return Cell(box, docker, engines.BUSYBOX, docker__container__network="none")


def test_limits_that_an_engine_only_claims_refuse_the_run_unless_they_may_be_missing(rootless):
    cell, box = rootless, rootless.box
    refused = box.command_json("echo", "ran", level="low")
    assert refused["reason"] in ("policy_denied", "sandbox_error") and refused["stdout"] == "", refused
    assert ("memory" in refused["error"]["message"]
            and "accept_missing: [memory, cpu, pids]" in refused["error"]["remedy"]), refused

    cell.configure(docker__container__network="none", docker__container__accept_missing=["memory", "cpu", "pids"])
    r = box.command_json("sh", "-c", "id -u; ulimit -n; exit 3", level="low")
    assert (r["reason"], r["exit_code"], r["stdout"]) == ("error", 3, "1000\n1024\n"), r
    isolation = r["isolation"]
    assert isolation["user_ns"] and isolation["uid"] == {"inside": 1000, "host": cell.engine.first_id + 999}, isolation
    limits = {key: isolation["limits"][key] for key in ("memory_bytes", "cpu", "pids", "enforced_by")}
    assert limits == {"memory_bytes": 0, "cpu": 0, "pids": 0, "enforced_by": "nobody"}, isolation
    missing = {line.partition(":")[0] for line in isolation["missing"]}
    assert {"memory", "cpu", "pids", "cgroup"} <= missing, isolation
    late = box.command_json("sh", "-c", "echo begun; while :; do :; done",
                            profile=box.derive("low", resources__timeout=2))
    assert (late["reason"], late["stdout"]) == ("timeout", "begun\n"), late
    assert not cell.left(refused, r, late)
