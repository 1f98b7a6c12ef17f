"""backend.py - the docker backend judged from outside: a box whose runs go to an engine, and what that engine has of
them afterwards.

    cell = Cell(box, docker)
    r = cell.json("python", "print(1)\\n")
    assert not cell.left(r)
"""
import contextlib
import time

from helpers import children, merged, poll, read

from engine import engines

EXECUTION, OWNER = "sandbox-agent.execution", "sandbox-agent.owner"


def nested(dotted):
    """{"a.b": 1} -> {"a": {"b": 1}}"""
    found = {}
    for key, value in dotted.items():
        for word in reversed(key.split(".")):
            value = {word: value}
        found = merged(found, value)
    return found


class Cell:
    def __init__(self, box, engine, image=engines.LANGUAGES, **more):
        self.box, self.engine, self.image = box, engine, engine.load(image)
        self.configure(**more)

    def configure(self, socket=None, image=None, **dotted):
        """Dots in the names of settings are __ here."""
        languages = {language: {"default_image": image or self.image} for language in ("python", "node", "bash")}
        # 4.3 puts containers into the host's cgroup namespace where control groups are v1, whatever is asked
        if self.engine.name == "podman":
            dotted.setdefault("docker__container__accept_missing", ["user_ns", "cgroup_ns", "network"])
        dotted.setdefault("docker__container__accept_missing", ["user_ns", "network"])  # the bridge, at low
        # of an engine on a busy machine; tests of hanging ones say less
        dotted.setdefault("docker__daemon__timeout", "2m")
        values = nested({"docker.daemon.socket": str(socket or self.engine.socket),
                         **{k.replace("__", "."): v for k, v in dotted.items()}})
        self.box.user_config(merged(values, {"languages": languages, "sandbox": {"backend": "docker"}}))

    # -- running: as the box does --

    def json(self, *args, **more):
        return self.box.json(*args, **more)

    def run(self, *args, **more):
        return self.box.run(*args, **more)

    def program(self, *words, **more):
        return self.box.command(*words, **more)

    # -- looking --

    def labelled(self, is_ours):
        """What the engine has with labels of ours that are like this, as «containers/ID» and «volumes/NAME»."""
        found = ["containers/" + c["Id"] for c in self.engine.expect(200, "GET", "/containers/json?all=1")
                 if is_ours(c.get("Labels") or {})]
        return found + ["volumes/" + v["Name"] for v in self.engine.expect(200, "GET", "/volumes")["Volumes"] or []
                        if is_ours(v.get("Labels") or {})]

    def of_run(self, execution):
        return self.labelled(lambda labels: labels.get(EXECUTION) == execution)

    def of_owner(self, pid):
        return self.labelled(lambda labels: ":%d:" % pid in labels.get(OWNER, ""))

    def left(self, *results):
        """Of these runs, after a moment's patience: an engine that removes a container is done when it has answered."""
        ids = {r["execution_id"] for r in results}
        return self.labelled(lambda labels: labels.get(EXECUTION) in ids)

    def nameless(self, result):
        """Volumes of this run, labelled or not."""
        return [name for name in self.engine.volumes() if result["execution_id"] in name]

    def remove(self, found):
        for what in found:
            self.engine.call("DELETE", "/%s?force=1" % what)


def engine_process(live):
    """The sandbox-engine of a running command line."""
    def find():
        return [p for p in children(live.process.pid) if read("/proc/%d/comm" % p).startswith("sandbox-engine")]
    poll(lambda: not find() and live.process.poll() is None, 60)
    (pid,) = find()
    return pid


@contextlib.contextmanager
def within(seconds):
    """What is inside takes no longer: far more than it needs on a busy machine, far less than what it must not wait
    for."""
    start = time.monotonic()
    yield
    assert time.monotonic() - start < seconds, "took %.1f s" % (time.monotonic() - start)
