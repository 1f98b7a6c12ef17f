"""Where images come from: what the engine has, registries that are allowed, and words for what is missing; the
Containerfile, without building it."""
import importlib.machinery
import importlib.util
import io
import shutil
import subprocess
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
    cell.configure(image=image, docker__container__network="none", docker__images__auto_pull=True,
                   docker__images__allowed_registries=registries, docker__images__pull_policy=policy, **more)


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
    cell.program("/bin/no-such", level="low").refused(127, "/bin/no-such", "image " + tagged)
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
    made = docker.expect(201, "POST", "/containers/create",
                         {"Image": engines.BUSYBOX, "Volumes": {"/var/data": {}},
                          "HostConfig": {"NetworkMode": "none"}})["Id"]
    name = "sandbox-agent/with-volume:1"
    try:
        docker.expect(201, "POST", "/commit?container=%s&repo=sandbox-agent/with-volume&tag=1" % made, {})
        cell.configure(image=name)
        echo(cell).refused(125, name, "VOLUME /var/data", "docker export")
    finally:
        docker.call("DELETE", "/containers/%s?force=1&v=1" % made)
        docker.call("DELETE", "/images/%s?force=1" % name)


def test_an_image_without_the_interpreter_says_so(box, engine):
    Cell(box, engine, engines.BUSYBOX).run("python", "print(1)\n").refused(127, "image " + engines.BUSYBOX, "python3",
                                                                           "not found", "deploy/images")


def settings_of_openssl():
    """-> a tar of what Debian's package openssl puts beside the library"""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        link = tarfile.TarInfo("usr/lib/ssl/openssl.cnf")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/ssl/openssl.cnf"
        tar.addfile(link)
        tar.addfile(tarfile.TarInfo("etc/ssl/openssl.cnf"))
    return out.getvalue()


def test_node_starts_at_high_where_the_image_has_openssl_s_settings(box, docker):
    cell, name = Cell(box, docker), "sandbox-agent/with-openssl:1"
    made = docker.expect(201, "POST", "/containers/create",
                         {"Image": cell.image, "HostConfig": {"NetworkMode": "none"}})["Id"]
    try:
        docker.expect(200, "PUT", "/containers/%s/archive?path=/" % made, settings_of_openssl())
        docker.expect(201, "POST", "/commit?container=%s&repo=sandbox-agent/with-openssl&tag=1" % made, {})
        cell.configure(image=name, docker__container__accept_missing=["user_ns", "kill_switches", "monitoring"])
        r = cell.json("node", "console.log('started')\n", level="high")
        assert (r["reason"], r["stdout"]) == ("completed", "started\n"), r
    finally:
        docker.call("DELETE", "/containers/%s?force=1&v=1" % made)
        docker.call("DELETE", "/images/%s?force=1" % name)


def test_the_images_have_certificates_to_trust(box, docker):
    code = "import ssl\nprint(len(ssl.create_default_context().get_ca_certs()))\n"
    assert int(Cell(box, docker).json("python", code)["stdout"]) > 50  # 148 in Debian 12


# ---- the Containerfile ----

@pytest.fixture(scope="module")
def make_image():
    loader = importlib.machinery.SourceFileLoader("make_image", str(engines.MAKE_IMAGE))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("make_image", loader))
    loader.exec_module(module)
    return module


@pytest.fixture
def installed(tmp_path):
    """-> function of build arguments: how its RUN ends and what it has apt install, with programs that only tell what
    they are asked"""
    instructions = engines.MAKE_IMAGE.with_name("Containerfile").read_text().replace("\\\n", " ").splitlines()
    (script,) = [line.removeprefix("RUN ") for line in instructions if line.startswith("RUN ")]
    for name in ("apt-get", "rm", "find", "mkdir"):
        (tmp_path / name).write_text("#!/bin/sh\necho %s \"$*\"\n" % name)
        (tmp_path / name).chmod(0o755)

    def run(**arguments):
        done = subprocess.run(["/bin/sh", "-c", script], env={"PATH": str(tmp_path), **arguments}, capture_output=True,
                              text=True, timeout=20)
        asked = [line.removeprefix("apt-get install ") for line in done.stdout.splitlines()
                 if line.startswith("apt-get install ")]
        return done, [word for line in asked for word in line.split() if word[0] != "-"]
    return run


def test_the_containerfile_installs_what_make_image_takes(make_image, installed):
    """That Debian has these packages is seen where make-image makes the images of these tests."""
    assert set(make_image.PACKAGES) == {language for tag in (engines.LANGUAGES, engines.COMPILED)
                                        for language in engines.CONTENTS[tag]}
    for language, packages in make_image.PACKAGES.items():
        assert installed(LANGUAGE=language)[1] == packages
    done, packages = installed(LANGUAGE="python rust", PACKAGES="python3-numpy")
    assert packages == ["python3-numpy", *make_image.PACKAGES["python"], *make_image.PACKAGES["rust"]]
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["apt-get", "apt-get", "rm", "find", "mkdir"]
    for wrong in ({}, {"LANGUAGE": "python ruby"}):
        done, packages = installed(**wrong)
        assert done.returncode == 1 and "--build-arg LANGUAGE=" in done.stderr and not done.stdout, done
