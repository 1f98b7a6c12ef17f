"""What a person reads who asks an engine for what it cannot do: which value, and what to do. The first run of each is
refused, and what the words advise works."""
import re

import helpers

from engine import engines
from engine.backend import Cell


def advised(done):
    """The list in the remedy."""
    return re.search(r"docker\.container\.accept_missing: \[([\w, ]+)\]", done.words).group(1).split(", ")


def test_a_program_that_a_mask_hides_is_told_of_with_its_image(box, engine):
    cell = Cell(box, engine, engines.BUSYBOX)
    program = "/bin/sh" if engine.name == "docker" else "sh"  # as it is, and looked for
    cell.program(program, "-c", "echo hi").refused(126, "image sandbox-agent/busybox:12: %s: hidden" % program,
                                                   "busybox", "deploy/images")
    assert cell.program(program, "-c", "echo hi", level="low").out == b"hi\n"


def test_a_refusal_names_all_that_is_missing_and_what_was_accepted_before(box, docker):
    if "runsc" not in docker.expect(200, "GET", "/info")["Runtimes"]:
        helpers.skip("the engine has no runsc (apt-get install runsc)")
    cell = Cell(box, docker, docker__daemon__runtime="runsc", docker__container__accept_missing=["user_ns"])
    words = advised(cell.run("python", "print(1)\n", level="high").refused(123, "seccomp"))
    assert words == ["user_ns", "seccomp", "landlock"], "as docs/docker.md says"
    cell.configure(docker__daemon__runtime="runsc", docker__container__accept_missing=words)
    r = cell.json("python", "print(1)\n", level="high")
    assert (r["reason"], r["stdout"]) == ("completed", "1\n"), r
    assert not [m for m in r["isolation"]["missing"] if m.startswith("storage")], r
    eat = cell.json("bash", "a=x; while :; do a=$a$a; done\n", profile=box.derive("medium", resources__memory="64m"))
    assert eat["reason"] == "oom" and [v["type"] for v in eat["violations"]] == ["memory_limit"], eat
    assert not cell.left(r, eat)


def test_podman_is_asked_for_its_own_runtime_by_name(box, podman_runsc):
    cell = Cell(box, podman_runsc, engines.BUSYBOX, docker__container__network="none")
    cell.program("/bin/uname", level="low").refused(125, "step CREATE", "/runsc", "docker.daemon.runtime: runsc")
    cell.configure(docker__daemon__runtime="runsc", docker__container__network="none",
                   docker__container__accept_missing=["user_ns"])
    words = advised(cell.program("/bin/uname", level="low").refused(123, "seccomp"))
    cell.configure(docker__daemon__runtime="runsc", docker__container__network="none",
                   docker__container__accept_missing=words)
    assert cell.program("/bin/uname", level="low").out == b"Linux\n"


def test_podman_takes_no_options_out_of_the_name_of_a_volume(box, podman):
    cell = Cell(box, podman)
    data = box.directory("data,x")
    for source, target in ((data, "/data"), (box.directory("plain"), "/data,src=/etc"),
                           (box.directory('a"b'), "/data")):
        cell.run("python", "print(1)\n",
                 options=["--volume", "%s:%s" % (source, target)]).refused(2, "step CREATE", "comma", "rename")


def test_docker_says_how_little_memory_is_too_little(box, docker):
    Cell(box, docker).run("python", "print(1)\n",
                          options=["--memory", "4m"]).refused(125, "Minimum memory limit", "resources.memory")
