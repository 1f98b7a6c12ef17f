"""Networks of containers, by either engine."""
import os

import pytest

from engine.backend import Cell

ADDRESSES = "print(sorted(line.split(':')[0].strip() for line in open('/proc/net/dev').readlines()[2:]))\n"  # a container has no /sys


@pytest.fixture
def network(engine):
    name = "sandbox-test-%d" % os.getpid()
    yield name
    engine.call("DELETE", "/networks/" + name)


def test_a_network_is_made_when_it_is_needed_and_only_then(box, engine, network):
    cell = Cell(box, engine, docker__container__network=network)
    assert cell.json("python", "print(1)\n")["isolation"]["net"] == "loopback"
    assert network not in engine.networks(), "medium has no network"
    r = cell.json("python", ADDRESSES, level="low")
    assert (r["reason"], r["stdout"], r["isolation"]["net"]) == ("completed", "['eth0', 'lo']\n", "bridge"), r
    made = engine.expect(200, "GET", "/networks/" + network)
    assert made["Driver"] == "bridge" and made["Labels"]["sandbox-agent.network"] == "1" and not made.get("Containers")
    assert any(m.startswith("network:") and network in m for m in r["isolation"]["missing"]), r["isolation"]
    cell.configure(docker__container__network="none")
    r = cell.json("python", ADDRESSES, level="low")
    assert r["stdout"] == "['lo']\n" and any("docker.container.network is none" in m for m in r["isolation"]["missing"]), r
    assert not cell.left(r)


def test_rules_that_an_engine_cannot_keep_are_refused_unless_that_is_accepted(box, docker):
    cell = Cell(box, docker, docker__container__network="sandbox-test-rules")
    rules = box.derive("low", network__allow=["example.org"])
    done = cell.run("python", "print(1)\n", profile=rules)
    assert done.code == 123 and "network.allow" in done.words and "accept_missing" in done.words, done
    assert "sandbox-test-rules" not in docker.networks()


def test_a_network_of_another_kind_is_refused(box, docker):
    done = Cell(box, docker, docker__container__network="host").run("python", "print(1)\n", level="low")
    assert done.code == 125 and "not bridge" in done.words and "docker.container.network" in done.words, done
