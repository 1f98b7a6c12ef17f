"""places.py - where else an attack begins than as a run of the command line, by a service:

    job         a session's second job: another one is in the background, and must not notice
    next        a session's next command, alone: it gets the process that waited for it, fenced ahead
    terminal    a process of a session, on a pty
    background  a process of a session, with input that stays open
    cell        a cell of a session's Python context; the program is the kernel's child, a Python script itself
    forked      a run whose Python was forked before it came (warm.enabled; at high it is parked)
    parked      a run whose bash waited for it

A session has no volumes: the programs lie in /workspace/attack, and at high, where a session has contexts only, the
parameters in /tmp. A run that is to find a waiting interpreter carries them in its code. $ATTACK_DIR says where.
"""
import base64
import os
import pathlib
import secrets
import shlex
import sys
import time

import build
import helpers
import outside

sys.path.insert(0, str(pathlib.Path(helpers.__file__).parent / "service"))
import load  # noqa: E402
import service as service_module  # noqa: E402

LEVELS = {**dict.fromkeys(("job", "next", "terminal", "background"), ("low", "medium")),
          **dict.fromkeys(("cell", "forked", "parked"), build.LEVELS)}
PLACES = tuple(LEVELS)
OF_SESSIONS = ("job", "next", "terminal", "background", "cell", "other")
PATIENCE = 120
WITNESS = "touch /workspace/attack/up; exec sleep 100000"
EXCEPTIONS = (
    ("proc_forge_result fs_proc_fd proc_init_files", "cell", "is the kernel, or its child: what it reaches is its own"),
    ("proc_foreign_ids leak_fds", "terminal", "has a terminal there"),
    ("res_both_floods proc_block_output", "background", "prints more than is kept of it (4 MiB): as a job it is tried"),
    ("leak_inherited_state", "forked", "Python itself ignores SIGXFSZ"),
    ("res_disk_fill res_disk_fallocate res_mem_memfd", "forked",
     "known to be open (docs/warm.md): the kernel ends the parent"),
)
CLEAN = "chmod -R u+rwX /tmp /dev/shm /workspace; for d in /tmp /dev/shm /workspace; do cd $d; " \
        "find . -mindepth 1 -maxdepth 1 ! -path ./attack -exec rm -rf {} +; done; " \
        "find /tmp /dev/shm /workspace -mindepth 1 ! -path '/workspace/attack*'; " \
        "grep -h ' [0-9]' /proc/sysvipc/* | wc -l | grep -vx 0"
NOT_HERE = {  # attack -> what it needs that only a run of the command line has
    "net_volume_sockets": "a volume", "priv_setuid_in_volume": "a volume",
    "fs_code_swap": "its code's path on the host",
    "fs_stdin_reopen": "a file of the host's as input", "fs_stdio_flags": "a file of the host's as input",
}


def reason_against(attack, place, level):
    """Why this attack is not tried there; None: it is."""
    if attack.name in NOT_HERE:
        return "needs " + NOT_HERE[attack.name]
    for names, there, why in EXCEPTIONS:
        if attack.name in names.split() and place == there:
            return why
    if level not in attack.levels:
        return "is not tried at " + level
    if level not in LEVELS[place]:
        return "a session at %s has contexts only" % level
    if level == "high" and (attack.kind != "py" if place in ("cell", "forked") else attack.kind != "sh"):
        return "at high no program can be delivered but as the code itself"
    if place in ("forked", "parked") and attack.twice:
        return "its first half is a session's"
    return None


class Answer:
    """A result of the service's, as test_escape.judge() and outside.Host look at one of the command line's."""
    code, hung, is_pipe_held, peak_rss, stdin_flags = None, False, False, 0, (0, 0)

    def __init__(self, result, seconds, max_output, launcher, child=None):
        self.result, self.seconds, self.max_output, self.child = result, seconds, max_output, child
        self.id, self.started = result.get("execution_id"), {launcher}
        self.out = result.get("stdout") or ""
        self.err = result.get("stderr") or ""
        self.text = self.out + self.err

    @property
    def reason(self):
        """Of a cell the program's own: what ended the kernel's child, or the kernel, is not the cell's reason."""
        if self.child is not None and self.out.startswith("CONTAINED"):
            return "completed"
        if self.child == "-9" and self.result["reason"] == "completed":
            return "oom"
        return self.result["reason"]

    def describe(self):
        return "reason %s, exit %s, %.1f s, stdout %r, stderr %r, error %s" % (
            self.result["reason"], self.result.get("exit_code"), self.seconds, self.out[:600], self.err[:300],
            self.result.get("error"))


def started(pid):
    """-> when, in the kernel's ticks; 0: it has gone"""
    return int((helpers.read("/proc/%d/stat" % pid).rpartition(") ")[2].split() or [0] * 20)[19])


class Session:
    """One for all attacks of a place and level, until an attack ends it."""

    def __init__(self, area, place, level):
        self.area, self.service, self.place, self.level = area, area.service, place, level
        self.has_files, self.delivered, self.used_by = level != "high", set(), None
        self.has_witness = self.has_files and place != "next"
        body = {"risk_level": level, "agent_id": "attacker-%s-%s" % (place, level), "ttl": 3600}
        answer = self.service.request("POST", "/sessions", key=area.key, json=body)
        assert answer.status_code == 201, answer.text
        self.id = answer.json()["session_id"]
        self.context = None
        if self.has_files:
            assert self.ask("POST", "/files/attack?mkdir").status_code == 201
        if self.has_witness:
            self.witness = self.ask("POST", "/execute", json={"command": WITNESS,
                                                              "background": True}).json()["execution_id"]
            assert not helpers.poll(lambda: self.ask("GET", "/files/attack/up?stat").status_code != 200, PATIENCE)
        if place == "next":  # behind a command there is one that waits
            assert self.ask("POST", "/execute", json={"command": "true"}).status_code == 200
        if place == "cell":
            self.new_context()

    def ask(self, method="GET", path="", **more):
        return self.service.request(method, "/sessions/%s%s" % (self.id, path), key=self.area.key, timeout=PATIENCE,
                                    **more)

    def new_context(self):
        self.is_kernel_lost = False
        answer = self.ask("POST", "/contexts", json={"language": "python"})
        assert answer.status_code == 201, answer.text
        self.context = answer.json()["context_id"]
        assert self.ask("POST", "/contexts/%s/execute" % self.context, json={"code": "1"}).status_code == 200

    def state(self):
        return self.ask().json()["state"]

    def is_witness_alive(self):
        return not self.has_witness or self.service.execution(self.witness, key=self.area.key)["state"] == "running"

    def put(self, name, data, mode="0755"):
        answer = self.ask("PUT", "/files/attack/%s?mode=%s" % (name, mode), data=data)
        assert answer.status_code == 200, answer.text

    def deliver(self, attack, params):
        if not self.has_files:
            return
        for name in (attack.name, "baseline") if attack.kind == "c" else ():
            if name not in self.delivered:
                self.put(name, (self.area.programs / name).read_bytes())
                self.delivered.add(name)
        self.put("params", params, "0644")

    def clean(self):
        """Of what the last attack left: memory, disk and names are the session's. -> it can be used again"""
        if self.state() != "running" or not self.is_witness_alive():
            return False
        if not self.has_files:
            return self.used_by.group not in ("filesystem", "resources")
        answer = self.ask("POST", "/execute", json={"command": CLEAN})  # which a full memory may end
        return answer.status_code == 200 and (answer.json()["reason"], answer.json()["stdout"]) == ("completed", "")

    def end(self):
        self.ask("DELETE")
        assert not helpers.poll(lambda: not self.ask().json()["ended_at"], PATIENCE), "the session does not end"


class Area:
    """A service, its sessions, and what they need."""

    def __init__(self, field, is_warm):
        self.field, self.programs, self.scripts = field, build.build_dir() / "bin", field.scripts
        self.sessions = {}
        s = self.service = service_module.Service(start=False,
                                                  env=[*field.host.environment().items()] if not is_warm else ())
        s.pass_fds = field.host.inherited
        try:
            profiles = s.directory("profiles")
            for level in build.LEVELS:
                profile = helpers.merged(field.profiles[level], {})
                if level == "high":  # a session there is what the shipped profile makes it
                    profile["execution"]["shell_access"] = "none"
                (profiles / (level + "-risk.yaml")).write_text(helpers.to_yaml(profile))
            s.configure(helpers.merged(load.UNLIMITED, {
                "sandbox": {"paths": {"profiles_dir": str(profiles)}}, "warm": {"enabled": is_warm},
                "security": {"responses": {"quarantine_on_violations": 1000000}}}))
            s.start()
        except BaseException:
            s.close(check=False)
            raise
        self.key = s.override()

    def session(self, place, level):
        known = self.sessions.get((place, level))
        if known is None:
            known = self.sessions[place, level] = Session(self, place, level)
        return known

    def close(self):
        self.service.close()

    # -- one attack --

    def prepare(self, place, level, attack):
        """Before the harness looks at what is there."""
        if place not in OF_SESSIONS:
            return
        if attack.twice:
            self.prepare_session("other", level, attack)
        self.prepare_session(place, level, attack)
        assert not helpers.poll(lambda: not self.is_spare_there(), PATIENCE), "the launcher makes nothing ahead"

    def is_spare_there(self):
        """The launcher's last child is ahead of the next sandbox and has its own; else the harness takes what still
        comes for the attack's, and ends it."""
        made = outside.children(load.launcher_of(self.service))
        return any(outside.children(child) for child in made if child == max(made, key=started))

    def prepare_session(self, place, level, attack):
        session = self.session(place, level)
        if session.used_by and not session.clean():
            session.end()
            del self.sessions[place, level]
            session = self.session(place, level)
        if session.context and session.is_kernel_lost:
            session.new_context()
        session.used_by = attack
        session.deliver(attack, (self.field.volume / "params").read_bytes())

    def is_witness_alive(self, place, level, attack):
        """Where the session's limits had to end something it may have been that."""
        if place not in OF_SESSIONS or attack.reasons or attack.group == "resources":
            return True
        session = self.session(place, level)
        return session.state() == "running" and session.is_witness_alive()

    def run(self, place, level, attack, role=()):
        """-> Answer"""
        begin = time.monotonic()
        child = None
        if place in ("forked", "parked"):
            result = self.carried(place, level, attack)
        elif place == "cell":
            result, child = self.cell(self.session(place, level), attack, role)
        else:
            result = self.process(self.session(place, level), place, attack, role)
        limit = helpers.size(self.field.profiles[level]["execution"].get("max_output", "64m"))
        return Answer(result, time.monotonic() - begin, limit, load.launcher_of(self.service), child)

    def run_twice(self, place, level, attack):
        """Two sessions: the first says that it holds and waits for the end of its input, the second looks for it."""
        (first, second), other = attack.twice, self.session("other", level)
        answer = other.ask("POST", "/processes", json={**self.body(attack, [first]),
                                                       "timeout": "%ds" % attack.timeout, "stdin": True})
        assert answer.status_code == 201, answer.text
        process, begin = answer.json()["process_id"], time.monotonic()
        with other.ask("GET", "/processes/%s/events" % process, stream=True) as events:
            for line in events.iter_lines(chunk_size=1):
                if b"holding" in line:
                    break
            else:
                raise AssertionError("the first of two sessions never held anything: %s" % self.finished(process))
        found = self.run(place, level, attack, [second])
        other.ask("POST", "/processes/%s/stdin?eof" % process)
        held = Answer(self.finished(process), time.monotonic() - begin, found.max_output, *found.started)
        return [held, found]

    def body(self, attack, role=()):
        """With a word of its own: code that did harm is remembered, and refused (rule known_bad_code)."""
        more, own = {"env": {"ATTACK_DIR": "/workspace/attack", "ATTACK_SESSION": "1"}}, secrets.token_hex(4)
        if attack.language:
            return {"language": attack.language, "code": "# %s\n%s" % (own, self.script(attack)), "args": list(role),
                    **more}
        return {"argv": ["/workspace/attack/" + attack.name, *role, own], **more}

    def script(self, attack):
        return (self.scripts / attack.path.name).read_text()

    def process(self, session, place, attack, role=()):
        body = {**self.body(attack, role), "timeout": "%ds" % attack.timeout}
        if place in ("job", "next"):
            answer = session.ask("POST", "/execute", json=body)
            assert answer.status_code == 200, answer.text
            return answer.json()
        more = {"pty": {"rows": 24, "cols": 80}} if place == "terminal" else {"stdin": True}
        answer = session.ask("POST", "/processes", json={**body, **more})
        assert answer.status_code == 201, answer.text
        result = self.finished(answer.json()["process_id"])
        if place == "terminal" and "ESCAPED" not in result["stdout"]:  # its stderr comes the same way
            result["stdout"] = "CONTAINED".join(["", *result["stdout"].split("CONTAINED", 1)[1:]])
        return result

    def finished(self, execution):
        return self.service.finished(execution, key=self.key)["result"]

    def cell(self, session, attack, role=()):
        place = "/workspace/attack" if session.has_files else "/tmp"
        head = "import os  # %s\nos.environ.update(ATTACK_DIR=%r, ATTACK_SESSION='1')\n" % (secrets.token_hex(4), place)
        if not session.has_files:
            head += "_ = open('/tmp/params', 'w').write(%r)\n" % (self.field.volume / "params").read_text()
        if attack.kind == "py":
            code = head + self.script(attack)
        else:
            words = ["bash", "-c", self.script(attack)] if attack.kind == "sh" else [place + "/" + attack.name]
            code = head + "import subprocess\nsubprocess.run(%r).returncode\n" % [*words, *role]
        answer = session.ask("POST", "/contexts/%s/execute" % session.context,
                             json={"code": code, "timeout": "%ds" % attack.timeout})
        assert answer.status_code == 200, answer.text
        result = answer.json()
        session.is_kernel_lost = attack.kind == "py" or bool(attack.reasons) or result["reason"] != "completed"
        if session.is_kernel_lost and session.state() == "running":
            session.ask("DELETE", "/contexts/" + session.context)  # what it left goes with its kernel
        return result, (result.get("results") or [{}])[-1].get("text/plain", "")

    def carried(self, place, level, attack):
        """As the code of a run whose interpreter waited; asks until one did."""
        params = (self.field.volume / "params").read_text()
        language, code = ("python", self.python_carrier) if place == "forked" else ("bash", self.bash_carrier)
        until = time.monotonic() + PATIENCE
        while True:
            result = self.service.run(code(attack, params), language, key=self.key,
                                      agent_id="%s-%s" % (place, level), risk_level=level,
                                      limits={"timeout": attack.timeout})
            if result["isolation"]["prepared"] in ("forked", "parked"):
                return result
            assert "ESCAPED" not in result["stdout"], result
            assert time.monotonic() < until, "no run found an interpreter that waited: %s" % result["isolation"]

    def python_carrier(self, attack, params):
        code = "import os  # " + secrets.token_hex(4)
        code += "\nos.environ['ATTACK_DIR'] = '/tmp'\nopen('/tmp/params', 'w').write(%r)\n" % params
        if attack.kind == "py":
            return code + self.script(attack)
        code += "import base64\n"
        names = [attack.name, "baseline"] if attack.name == "net_broker_exec_race" else [attack.name]
        for name in names:
            path = self.programs / name if attack.kind == "c" else self.scripts / attack.path.name
            code += "open('/tmp/%s', 'wb').write(base64.b64decode(%r))\n" \
                    "os.chmod('/tmp/%s', 0o755)\n" % (name, base64.b64encode(path.read_bytes()), name)
        before = "'/usr/bin/bash', 'bash', " if attack.kind == "sh" else "'/tmp/%s', " % attack.name
        return code + "os.execl(%s'/tmp/%s')\n" % (before, attack.name)

    def bash_carrier(self, attack, params):
        code = "export ATTACK_DIR=/tmp # %s\necho -n %s > /tmp/params\n" % (secrets.token_hex(4), shlex.quote(params))
        if attack.kind == "sh":
            return code + self.script(attack)  # builtins only: at high there is nothing else
        names = [attack.name, "baseline"] if attack.name == "net_broker_exec_race" else [attack.name]
        for name in names:
            path = self.programs / name if attack.kind == "c" else self.scripts / attack.path.name
            text = base64.encodebytes(path.read_bytes()).decode()
            code += "base64 -d > /tmp/%s <<'.'\n%s.\nchmod 755 /tmp/%s\n" % (name, text, name)
        return code + "exec %s/tmp/%s\n" % ("python3 -I " if attack.kind == "py" else "", attack.name)
