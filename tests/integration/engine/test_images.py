"""Where images come from: what the engine has, registries that are allowed, and words for what is missing."""
import shutil
import tarfile

import pytest

from engine import engines
from engine.backend import Cell
from engine.registry import Registry


@pytest.fixture
def registry(engine, tmp_path):
    tar = tmp_path / "image.tar"  # a layer that no other test has: what an engine has it does not fetch
    shutil.copy(engines.make_tar(engines.BUSYBOX), tar)
    mark = tmp_path / "mark"
    mark.write_text(str(tmp_path))
    with tarfile.open(tar, "a") as t:
        t.add(mark, "mark")
    with Registry(engine, tar) as r:
        yield r
        for name in ("%s:%s" % (r.repository, r.tag), "%s@%s" % (r.repository, r.digest)):
            engine.call("DELETE", "/images/%s?force=1" % name)


def pulling(cell, image, registries, policy="missing", **more):
    cell.configure(image=image, docker__container__network="none", docker__images__auto_pull=True, docker__images__allowed_registries=registries, docker__images__pull_policy=policy, **more)


def echo(cell):
    return cell.program("/bin/echo", "hi", level="low")  # above, commands are hidden, and busybox is all of them


def test_an_image_is_pulled_by_policy_and_from_allowed_registries_only(box, engine, registry):
    cell = Cell(box, engine, engines.BUSYBOX)
    tagged, host = "%s:%s" % (registry.repository, registry.tag), registry.repository.partition("/")[0]
    cell.configure(image=tagged, docker__container__network="none")
    echo(cell).refused(125, tagged, "auto_pull", "deploy/images")
    pulling(cell, tagged, ["registry.example"])
    echo(cell).refused(125, tagged, "%s is not in docker.images.allowed_registries" % host)
    pulling(cell, tagged, [host], "never")
    echo(cell).refused(125, tagged, "pull_policy")
    assert registry.requests == [] and not engine.has(tagged)
    registry.is_wrong = True
    pulling(cell, tagged, [host])
    echo(cell).refused(125, tagged)
    registry.is_wrong = False
    assert echo(cell).out == b"hi\n"
    cell.program("/bin/no-such", level="low").refused(127, "/bin/no-such", "in the image " + tagged)
    count = len(registry.requests)
    assert echo(cell).out == b"hi\n" and len(registry.requests) == count
    pulling(cell, tagged, ["registry.example"], "always")
    echo(cell).refused(125, tagged, "before each run", "%s is not in docker.images.allowed_registries" % host)
    pulling(cell, tagged, [host], "always")
    assert echo(cell).out == b"hi\n" and len(registry.requests) > count


def test_a_digest_is_kept(box, engine, registry):
    cell, host = Cell(box, engine, engines.BUSYBOX), registry.repository.partition("/")[0]
    other = "%s@sha256:%s" % (registry.repository, "0" * 64)
    pulling(cell, other, [host])
    echo(cell).refused(125, "sha256:0000")
    pulling(cell, "%s@%s" % (registry.repository, registry.digest), [host])
    assert echo(cell).out == b"hi\n"


def test_an_image_with_volumes_is_refused(box, docker):
    cell = Cell(box, docker, engines.BUSYBOX)
    made = docker.expect(201, "POST", "/containers/create", {"Image": engines.BUSYBOX, "Volumes": {"/var/data": {}}, "HostConfig": {"NetworkMode": "none"}})["Id"]
    name = "sandbox-agent/with-volume:1"
    try:
        docker.expect(201, "POST", "/commit?container=%s&repo=sandbox-agent/with-volume&tag=1" % made, {})
        cell.configure(image=name)
        echo(cell).refused(125, name, "VOLUME /var/data", "docker export")
    finally:
        docker.call("DELETE", "/containers/%s?force=1&v=1" % made)
        docker.call("DELETE", "/images/%s?force=1" % name)


def test_an_image_without_the_interpreter_says_so(box, engine):
    Cell(box, engine, engines.BUSYBOX).run("python", "print(1)\n").refused(127, "python3", "not found")
