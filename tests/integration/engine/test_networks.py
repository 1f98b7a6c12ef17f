"""Networks of containers, by either engine."""
import os

import pytest

from engine.backend import Cell

# a container has no /sys
ADDRESSES = "print(sorted(line.split(':')[0].strip() for line in open('/proc/net/dev').readlines()[2:]))\n"


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
    assert (r["bytes_in"], r["bytes_out"]) == (None, None), r  # no process of ours counts them: 0 would be a lie
    assert any(m.startswith("bytes_in, bytes_out:") for m in r["isolation"]["missing"]), r["isolation"]
    cell.configure(docker__container__network="none")
    r = cell.json("python", ADDRESSES, level="low")
    assert r["stdout"] == "['lo']\n" and any("docker.container.network is none" in m
                                             for m in r["isolation"]["missing"]), r
    assert (r["bytes_in"], r["bytes_out"]) == (0, 0), r  # there is nothing to count
    assert not cell.left(r)


def test_a_bridge_is_refused_unless_what_it_leads_to_is_accepted(box, docker, network):
    accepted = ["user_ns", "network"]
    cell = Cell(box, docker, docker__container__network=network, docker__container__accept_missing=accepted[:1])
    for profile, word in ((None, "network.mode: bridge"),
                          (box.derive("low", network__allow=["example.org"]), "network.allow")):
        done = cell.run("python", "print(1)\n", **({"profile": profile} if profile else {"level": "low"}))
        done.refused(123, word, "gateway", "metadata", "accept_missing: [%s]" % ", ".join(accepted),
                     "docker.container.network: none", "--backend native")
        assert network not in docker.networks()
    cell.configure(docker__container__network="none", docker__container__accept_missing=accepted[:1])
    assert cell.json("python", ADDRESSES, level="low")["stdout"] == "['lo']\n"
    cell.configure(docker__container__network=network, docker__container__accept_missing=accepted)
    r = cell.json("python", ADDRESSES, level="low")
    assert r["stdout"] == "['eth0', 'lo']\n" and any(m.startswith("network:") and "gateway" in m
                                                     for m in r["isolation"]["missing"]), r


def test_a_network_of_another_kind_is_refused(box, docker):
    done = Cell(box, docker, docker__container__network="host").run("python", "print(1)\n", level="low")
    assert done.code == 125 and "not bridge" in done.words and "docker.container.network" in done.words, done
