"""test_engines.py - the engines that the other tests here use: they start, import, pull, and leave nothing."""
import os
import subprocess
import sys

import helpers
import pytest

from engine import engines
from engine.registry import Registry

LIMITS = {"Memory": 128 << 20, "MemorySwap": 128 << 20, "NanoCpus": 500000000, "ReadonlyRootfs": True,
          "CapDrop": ["ALL"],
          "SecurityOpt": ["no-new-privileges"], "Tmpfs": {"/tmp": "rw,size=16m,mode=1777"}}


def everything_of(engine):
    """Processes, mounts and control groups that name this engine's directory, as anybody sees them."""
    name = engine.dir.name.encode()
    processes = [p for p in filter(str.isdigit, os.listdir("/proc"))
                 if name in (helpers.read("/proc/%s/cmdline" % p) or "").encode()]
    groups = [g for g, _, _ in os.walk("/sys/fs/cgroup") if engine.dir.name in g]
    return processes, [line for line in open("/proc/mounts", "rb") if name in line], groups, list(engine.dir.glob("*"))


def pulls(engine, repository, tag):
    status, text = engine.call("POST", "/images/create?fromImage=%s&tag=%s" % (repository, tag))
    return status == 200 and '"error"' not in text  # an error that came late is in the text


def sleeper(engine):
    """-> id of a running container that ends when it is asked to"""
    made = engine.expect(201, "POST", "/containers/create", {"Image": engine.load(engines.BUSYBOX),
                                                             "Cmd": ["sleep", "600"], "StopSignal": "KILL",
                                                             "HostConfig": {"NetworkMode": "none",
                                                                            "Ulimits": engines.ULIMITS}})["Id"]
    engine.expect(204, "POST", "/containers/%s/start" % made)
    return made


def has_group(name):
    return any(name in group for group, _, _ in os.walk("/sys/fs/cgroup"))


def test_an_imported_image_runs_as_nobody(engine):
    status, text = engine.run(engine.load(engines.BUSYBOX), ["sh", "-c", "id -u; exit 3"])
    assert (status, text.split()) == (3, ["65534"])


@pytest.mark.parametrize("argv, answer",
                         [(["python3", "-c", "import sys, ssl, sqlite3; print(sys.flags.dont_write_bytecode, "
                                             "sys.version_info[:2])"], "0 (3, 11)"),
                                          (["node", "-e", "console.log(process.version.split('.')[0])"], "v18"),
                                          (["bash", "-c", "awk 'BEGIN { print 6 * 7 }'"], "42")],
                                          ids=["python", "node", "bash"])
def test_the_image_of_languages_has(docker, argv, answer):
    assert docker.run(docker.load(engines.LANGUAGES), argv, LIMITS) == (0, answer + "\r\n")


def test_a_bridge_network_of_ones_own(engine):
    name = "bridge-%d" % os.getpid()
    engine.expect(201, "POST", "/networks/create", {"Name": name, "Driver": "bridge"})
    try:
        assert name in engine.networks()
        status, text = engine.run(engine.load(engines.BUSYBOX), ["ip", "-o", "addr", "show", "eth0"],
                                  {"NetworkMode": name})
        assert status == 0 and "inet " in text
    finally:
        engine.expect(204, "DELETE", "/networks/" + name)
    assert name not in engine.networks()


def test_pulls_by_tag_and_by_digest_and_refuses_a_wrong_layer(engine):
    with Registry(engine, engines.make_tar(engines.BUSYBOX)) as registry:
        tagged, exact = "%s:%s" % (registry.repository, registry.tag), "%s@%s" % (registry.repository, registry.digest)
        registry.is_wrong = True
        assert not pulls(engine, registry.repository, registry.tag) and not engine.has(tagged)
        registry.is_wrong = False
        assert pulls(engine, registry.repository, registry.tag)
        asked = len(registry.requests)
        assert engine.run(tagged, ["true"])[0] == 0 and len(registry.requests) == asked
        engine.expect(200, "DELETE", "/images/" + tagged)
        assert not engine.has(tagged)
        assert not pulls(engine, registry.repository, "sha256:" + "0" * 64)
        assert pulls(engine, registry.repository, registry.digest) and engine.has(exact)
        assert len(registry.requests) > asked
        engine.expect(200, "DELETE", "/images/%s?force=1" % exact)


def test_an_ordinary_user_may_use_the_socket_that_was_given_to_its_group(private_engine):
    docker = private_engine(engines.Docker)
    ask = "import socket; s = socket.socket(socket.AF_UNIX); s.connect(%r); print('connected')" % docker.socket
    argv = ["setpriv", "--reuid=61234", "--regid=61234", "--clear-groups", "/usr/bin/python3", "-c", ask]
    assert "PermissionError" in subprocess.run(argv, capture_output=True, text=True, cwd="/").stderr
    docker.allow(61234)
    assert subprocess.run(argv, capture_output=True, text=True, cwd="/").stdout == "connected\n"


def test_a_killed_docker_comes_back_and_a_stopped_one_leaves_nothing(private_engine):
    docker = private_engine(engines.Docker)
    made = sleeper(docker)
    docker.kill()
    with pytest.raises(OSError):
        docker.call("GET", "/_ping")
    docker.start()
    assert docker.containers() == [made]
    docker.restart()
    made = sleeper(docker)
    assert has_group(made)
    docker.stop()
    assert everything_of(docker) == ([], [], [], []) and not has_group(made)


def test_podman_stops_in_the_middle_and_leaves_nothing(private_engine):
    podman = private_engine(engines.Podman)
    made = sleeper(podman)
    assert has_group(made)
    podman.stop()
    assert everything_of(podman) == ([], [], [], []) and not has_group(made)


def test_whoever_starts_an_engine_and_is_killed_leaves_no_process():
    if engines.Docker.reason_against():
        helpers.skip(engines.Docker.reason_against())
    code = ("import sys, time; sys.path.insert(0, %r); from engine import engines; e = engines.Docker().start(); "
            "print(e.dir, flush=True); time.sleep(600)" % str(engines.HERE.parent))
    owner = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    engine = engines.Docker()
    made = engine.dir
    try:
        engine.dir = type(made)(owner.stdout.readline().strip())
        assert everything_of(engine)[0]
        owner.kill()
        owner.wait()
        assert helpers.poll(lambda: everything_of(engine)[0], 60) == []
    finally:
        owner.stdout.close()
        subprocess.run(["rm", "-rf", str(made), str(engine.dir)], check=True)


def needs_runsc(docker):
    if "runsc" not in docker.expect(200, "GET", "/info")["Runtimes"]:
        helpers.skip("the engine has no runsc (apt-get install runsc)")


def test_runsc_runs_under_docker_with_the_limits_of_a_sandbox(docker):
    needs_runsc(docker)
    status, text = docker.run(docker.load(engines.BUSYBOX), ["sh", "-c", "uname -r; touch /x; ls /sys/class/net"],
                              {**LIMITS, "Runtime": "runsc", "PidsLimit": 500})
    assert status == 0 and text.split()[0] != os.uname().release and text.split()[-1] == "lo" and "touch" in text


def test_runsc_counts_its_own_threads_as_the_containers_processes(docker):
    needs_runsc(docker)
    with pytest.raises(engines.EngineError, match="sandbox"):
        docker.run(docker.load(engines.BUSYBOX), ["true"], {**LIMITS, "Runtime": "runsc", "PidsLimit": 10})


def test_runsc_under_podman_is_the_engines(podman_runsc):
    status, text = podman_runsc.run(podman_runsc.load(engines.BUSYBOX), ["uname", "-r"])
    assert status == 0 and text.split() != [os.uname().release]


def test_what_a_failed_start_of_runsc_leaves_goes_with_the_engine(private_engine):
    docker = private_engine(engines.Docker)
    needs_runsc(docker)
    with pytest.raises(engines.EngineError):
        docker.run(docker.load(engines.BUSYBOX), ["true"], {"Runtime": "runsc-unprepared"})
    assert not helpers.poll(lambda: not any("runsc-sandbox" in helpers.read("/proc/%s/cmdline" % p)
                                            for p in everything_of(docker)[0]), 60)
    docker.stop()
    assert everything_of(docker) == ([], [], [], [])
