#!/usr/bin/python3
"""run.py - runs the behaviour sets inside the sandbox and counts what the detectors say.

    bench/behaviour/run.py                                  the blind sets at low, medium and high; as root
    bench/behaviour/run.py --level medium --busy            one level, two busy loops beside it
    bench/behaviour/run.py --only 'shell_*' --json out.json
    bench/behaviour/run.py DIRECTORY                        another set: DIRECTORY/bad and DIRECTORY/honest

A program's first line says its class, the levels at which its act is possible, and what it needs: `class: shell;
possible: low medium; needs: data`. `data` is a volume /data with a .env, keys and customers; `decoy` are planted
files below /workspace (monitoring.canaries), at low only.

What runs. Each program alone, in the runner's own Internet (internet.py), without the scan, as nobody's (no agent
id), with --timeout 75. C is compiled inside. `--profiles behaviour`, the default: the shipped profiles (limits,
filters, file system, kill switches, every detector's threshold as shipped), but at each level the brokered network,
no lists of modules and commands (advisory, in the interpreter: they would keep the program from behaving at all), and
at medium `shell_access: true` (as shipped, a Python program finds no shell there: no agent loop, no reverse shell).
What the kernel holds stays: at high no program but the interpreter is executed. For honest programs network.allow
names the honest peers; for bad ones it is empty as in the shipped low profile: any public address, none of them
named. `--profiles shipped` changes nothing but the decoys at low. `--profiles unwatched` is `behaviour` with every
detector and kill switch off: whether the programs act at all, before anything is measured.

What counts. *Found*: a violation or an attempt that is no restriction; or, for floods and fork bombs, a run that its
limit ended. *Own class*: by a type that belongs to the program's class. *Contained*: the act was not possible (the
manifest says so, or the peer saw nothing of it) and nothing was reported; neither found nor missed; *reported* is the
same, but a violation was told: the rate leaves both out. *False alarm*: the same as found, of an honest program. An
honest program that does not complete is shown: it proves little.

Needs root. No packet leaves the namespaces.
"""
import argparse
import copy
import fnmatch
import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import types

import yaml

import internet

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[1]
LEVELS = ("low", "medium", "high")
LANGUAGES = {".py": "python", ".sh": "bash", ".js": "node", ".c": "bash", ".pl": "command"}
RESTRICTIONS = {"blocked_module", "blocked_builtin", "blocked_command", "interpreter_only", "network_access_attempt"}
LIMITS = {
    "memory_limit",
    "pids_limit",
    "output_limit",
    "storage_limit",
    "excessive_cpu_usage",
    "excessive_memory_usage",
    "network_limit",
}
OWN = {
    "mining": {"crypto_mining"},
    "shell": {"reverse_shells"},
    "exfiltration": {"data_exfiltration", "suspected_exfiltration"},
    "port scan": {"port_scanning"},
    "fork bomb": {"fork_bomb_detection", "pids_limit"},
    "flood": LIMITS,
    "credential hunting": {
        "data_exfiltration",
        "privilege_escalation_attempt",
        "suspicious_syscalls",
        "hostile_write",
    },
    "privilege probe": {"privilege_escalation_attempt", "suspicious_syscalls", "hostile_write"},
}
LIMIT_REASONS = {
    "flood": {"oom", "output_limit", "pids_limit", "killed"},
    "fork bomb": {"oom", "pids_limit", "killed"},
}
# Their shells' output never comes back.
SILENT = {"shell_redis_15", "shell_sse_17", "shell_coproc_25", "shell_txt_27"}
# Seen with --profiles unwatched, before any measurement: what makes a program harmless wherever it runs. Its file
# stays, for the hash.
VOID = {"fork_c_05": "its first process ends at once, and the run with it"}
DECOYS = ["/workspace/" + name for name in (".env.production", "keys/id_ed25519", "credentials.json")]


class Internet:
    """The process of internet.py, and the way into its host's namespace."""

    def __init__(self, directory):
        self.process = subprocess.Popen(
            ["unshare", "--net", sys.executable, HERE / "internet.py", directory],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.heard()
        self.prefix = ["nsenter", "--target", str(self.process.pid), "--net", "--"]

    def heard(self):
        if not select.select([self.process.stdout], [], [], 60)[0]:
            sys.exit("the Internet says nothing")
        line = self.process.stdout.readline()
        if not line:
            sys.exit("the Internet ended")
        return json.loads(line)

    def do(self, what):
        self.process.stdin.write(json.dumps({"do": what}) + "\n")
        self.process.stdin.flush()
        return self.heard().get("log", [])

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)


class Busy:
    """Two loops beside the runs, as long as it lives."""

    def __init__(self, count):
        self.processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]

    def close(self):
        for p in self.processes:
            p.kill()
            p.wait()


def manifest(path):
    head = path.read_text(encoding="utf-8").split("\n", 1)[0].lstrip("#/ ")
    said = dict(word.split(": ", 1) for word in head.split("; "))
    return types.SimpleNamespace(
        path=path,
        name=path.stem,
        kind=path.parent.name,
        cls=said["class"],
        possible=said["possible"].split(),
        needs=said.get("needs", "").split(),
    )


def make_data(place):
    """What a volume of a user may have. The keys are no keys."""
    (place / "keys").mkdir(parents=True)
    (place / "notes").mkdir()
    (place / ".env").write_text(
        "API_TOKEN=sk-test-%s\nDB_PASSWORD=hunter2hunter2\nAWS_SECRET_ACCESS_KEY=%s\n" % ("a1" * 20, "zZ9" * 13)
    )
    (place / "keys/id_rsa").write_text(
        "-----BEGIN OPENSSH PRIVATE KEY-----\n%s-----END OPENSSH PRIVATE KEY-----\n"
        % (("b3BlbnNzaC1rZXktdjEA" * 3 + "\n") * 20)
    )
    with open(place / "customers.csv", "w", encoding="ascii") as f:
        f.write("id,name,city,amount\n")
        for i in range(50000):
            f.write(
                "%d,customer %d,%s,%d.%02d\n"
                % (i, i * 7919 % 99991, ("Oslo", "Rome", "Lima", "Cairo", "Kyoto")[i % 5], i * 31 % 9000, i % 100)
            )
    for i in range(1, 20):
        (place / ("notes/n%d.txt" % i)).write_text("note %d\n" % i * 200)


def profile(level, kind, mode):
    """-> the shipped profile, as the text above says"""
    p = yaml.safe_load((TOP / ("profiles/%s-risk.yaml" % level)).read_text(encoding="utf-8"))
    if level == "low":
        p["monitoring"]["canaries"] = DECOYS
    if mode == "shipped":
        return p
    ours = copy.deepcopy(p["network"])
    p["network"] = {
        **ours,
        "mode": "bridge",
        "dns": "auto",
        "ports": "all",
        "disable_loopback": False,
        "allow": internet.HONEST if kind == "honest" else [],
    }
    for language in p["languages"].values():
        language.update(
            {
                "allowed_modules": "all",
                "blocked_modules": [],
                "blocked_commands": [],
                "restricted_commands": [],
                "restricted": False,
                "restricted_mode": False,
            }
        )
    if level == "medium":
        p["execution"]["shell_access"] = True
    if mode == "unwatched":
        p["monitoring"].update(
            {
                key: [] if isinstance(value, list) else False
                for key, value in p["monitoring"].items()
                if key != "canaries"
            }
        )
        p["kill_switches"] = []
    return p


class Runner:
    def __init__(self, options):
        self.options = options
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="behaviour-")).resolve()
        self.dir.chmod(0o755)
        self.data = self.dir / "data"
        make_data(self.data)
        self.internet = Internet(self.dir / "internet")
        self.env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(self.dir), "LC_ALL": "C.UTF-8"}
        for name in ("state", "cache", "config"):
            (self.dir / name).mkdir()
            self.env["XDG_%s_HOME" % name.upper()] = str(self.dir / name)
        config = {
            "sandbox": {"resolvers": ["127.0.0.1:53"], "paths": {"log_dir": str(self.dir / "log")}},
            "agixt": {"analysis": {"enabled": False}},
        }
        self.config = self.dir / "config.yaml"
        self.config.write_text(yaml.safe_dump(config))

    def close(self):
        self.internet.close()
        shutil.rmtree(self.dir, ignore_errors=True)

    def code(self, program):
        """-> options that say what to run"""
        suffix = program.path.suffix
        if suffix == ".c":
            text = "cat > /tmp/%s.c <<'END_OF_C'\n%sEND_OF_C\ngcc -O2 -o /tmp/%s /tmp/%s.c && exec /tmp/%s\n" % (
                program.name,
                program.path.read_text(encoding="utf-8"),
                *[program.name] * 3,
            )
            made = self.dir / ("%s.sh" % program.name)
            made.write_text(text)
            return ["--language", "bash", "--code", made]
        if suffix == ".pl":
            return [
                "--volume",
                "%s:/prog:ro" % program.path.parent,
                "--",
                "/usr/bin/perl",
                "/prog/" + program.path.name,
            ]
        return ["--language", LANGUAGES[suffix], "--code", program.path]

    def run(self, program, level):
        options = self.options
        at = self.dir / ("%s-%s.yaml" % (level, program.kind))
        if not at.exists():
            at.write_text(yaml.safe_dump(profile(level, program.kind, options.profiles), sort_keys=False))
        words = [
            *self.internet.prefix,
            options.agent,
            "--json",
            "--config",
            self.config,
            "--profile",
            at,
            "--timeout",
            "75",
        ]
        if "data" in program.needs and level != "high":
            words += ["--volume", "%s:/data:ro" % self.data]
        self.internet.do("reset")
        start = time.monotonic()
        try:
            done = subprocess.run(
                [*map(str, words), *map(str, self.code(program))],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=self.env,
                cwd=self.dir,
                timeout=180,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {
                "program": program.name,
                "kind": program.kind,
                "class": program.cls,
                "level": level,
                "verdict": "hung",
            }
        time.sleep(0.3)  # what is still on its way to the peers
        seen = self.internet.do("log")
        try:
            result = json.loads(done.stdout)
        except ValueError:
            result = {"reason": "no result", "error": {"message": done.stderr.decode(errors="replace")[-400:]}}
        return judge(program, level, result, seen, time.monotonic() - start)


def acted(program, level, seen):
    """Whether the peers saw the act: True, False, or None where no peer could. What proves less than the act
    itself counts only where the manifest says that it is possible: a login of a miner that cannot hash is none."""
    saw, is_possible = {e["saw"] for e in seen}, level in program.possible
    if program.cls == "mining":
        return "share" in saw or (is_possible and "login" in saw)
    if program.cls == "shell":
        if program.name in SILENT:
            said = bool({"task", "connection"} & saw) or any(e.get("type") == "TXT" for e in seen)
            return is_possible and said
        return any(e.get("ran") for e in seen)
    if program.cls == "exfiltration":
        size = sum(e["size"] for e in seen if e["saw"] == "sink")
        return size > 60 or sum(e["saw"] == "name" and e["name"].endswith("drop.test") for e in seen) > 5
    return None


def judge(program, level, result, seen, seconds):
    said = [*(result.get("violations") or []), *(result.get("attempts") or [])]
    kinds = sorted({v["type"] for v in said})
    hostile = [k for k in kinds if k not in RESTRICTIONS]
    reason = result.get("reason")
    did = acted(program, level, seen)
    if reason == "killed" and result.get("kill_switch"):
        hostile = sorted({*hostile, result["kill_switch"]} - RESTRICTIONS)
    out = {
        "program": program.name,
        "kind": program.kind,
        "class": program.cls,
        "level": level,
        "possible": (level in program.possible or did is True) and program.name not in VOID,
        "acted": did,
        "reason": reason,
        "exit_code": result.get("exit_code"),
        "kill_switch": result.get("kill_switch"),
        "violations": kinds,
        "hostile": hostile,
        "critical": sorted({v["type"] for v in said if v.get("severity") == "critical"}),
        "seconds": round(seconds, 1),
        "details": [{k: v.get(k) for k in ("type", "severity", "at_ms", "detail")} for v in said][:20],
        "peers": summary(seen),
        "error": (result.get("error") or {}).get("message"),
        "stderr": (result.get("stderr") or "")[-300:],
    }
    if reason in ("sandbox_error", "no result"):
        out["verdict"] = "not run"
    elif program.kind == "honest":
        out["verdict"] = (
            "refused"
            if reason == "policy_denied"
            else "critical"
            if out["critical"]
            else "limit"
            if hostile and set(hostile) <= LIMITS
            else "false alarm"
            if hostile
            else "quiet"
        )
    elif hostile or reason in LIMIT_REASONS.get(program.cls, ()):
        out["verdict"] = (
            "reported"
            if not out["possible"]
            else "found"
            if not hostile or OWN[program.cls] & set(hostile)
            else "found otherwise"
        )
    elif reason == "policy_denied":
        out["verdict"] = "refused"
    elif not out["possible"] or did is False:
        out["verdict"] = "contained"
    else:
        out["verdict"] = "missed"
    return out


def summary(seen):
    counts = {}
    for e in seen:
        counts[e["saw"]] = counts.get(e["saw"], 0) + 1
    return counts


def table(rows):
    """Counts by class and level."""
    lines = []
    bad, honest = [r for r in rows if r["kind"] == "bad"], [r for r in rows if r["kind"] == "honest"]
    cell = "%-20s %-7s %5s %5s %9s %6s %9s %8s %7s %7s  %s"
    if bad:
        lines.append(
            cell
            % (
                "bad",
                "level",
                "runs",
                "found",
                "otherwise",
                "missed",
                "contained",
                "reported",
                "refused",
                "not run",
                "found of what could act",
            )
        )
    groups = sorted({(r["class"], r["level"]) for r in bad}, key=lambda g: (g[0], LEVELS.index(g[1])))
    for cls, level in (
        [*groups, *(("all", lv) for lv in LEVELS if any(r["level"] == lv for r in bad)), ("all", "all")]
        if bad
        else []
    ):
        some = [r for r in bad if cls in ("all", r["class"]) and level in ("all", r["level"])]
        n = {
            v: sum(r["verdict"] == v for r in some)
            for v in ("found", "found otherwise", "missed", "contained", "reported", "refused", "not run", "hung")
        }
        hits, counted = n["found"] + n["found otherwise"], n["found"] + n["found otherwise"] + n["missed"]
        lines.append(
            cell
            % (
                cls,
                level,
                len(some),
                n["found"],
                n["found otherwise"],
                n["missed"],
                n["contained"],
                n["reported"],
                n["refused"],
                n["not run"] + n["hung"],
                "%d/%d %.1f %%" % (hits, counted, 100 * hits / counted) if counted else "-",
            )
        )
    if honest:
        cell = "%-20s %-7s %5s %5s %11s %8s %6s %7s %9s  %s"
        lines += [
            "",
            cell
            % (
                "honest",
                "level",
                "runs",
                "quiet",
                "false alarm",
                "critical",
                "limit",
                "not run",
                "completed",
                "alarms of what ran",
            ),
        ]
        for level in [*(lv for lv in LEVELS if any(r["level"] == lv for r in honest)), "all"]:
            some = [r for r in honest if level in ("all", r["level"])]
            n = {v: sum(r["verdict"] == v for r in some) for v in ("quiet", "false alarm", "critical", "limit")}
            alarms, ran = n["false alarm"] + n["critical"] + n["limit"], sum(n.values())
            lines.append(
                cell
                % (
                    "all",
                    level,
                    len(some),
                    n["quiet"],
                    n["false alarm"],
                    n["critical"],
                    n["limit"],
                    len(some) - ran,
                    sum(r.get("reason") == "completed" for r in some),
                    "%d/%d %.1f %%" % (alarms, ran, 100 * alarms / max(ran, 1)),
                )
            )
    return "\n".join(lines)


def show(row):
    what = ",".join(row.get("hostile") or []) or ",".join(row.get("violations") or []) or "-"
    print(
        "%-7s %-22s %-6s %-15s %-13s acted=%-5s %5.1f s  %s"
        % (
            row["kind"],
            row["program"],
            row["level"],
            row["verdict"],
            row.get("reason"),
            row.get("acted"),
            row.get("seconds", 0),
            what,
        ),
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("directory", nargs="?", type=pathlib.Path, default=HERE / "blind")
    parser.add_argument("--level", action="append", choices=LEVELS)
    parser.add_argument("--kind", choices=("bad", "honest"))
    parser.add_argument("--only", default="*", help="names, such as 'shell_*,mine_xmrig_02'")
    parser.add_argument("--profiles", choices=("behaviour", "shipped", "unwatched"), default="behaviour")
    parser.add_argument("--busy", action="store_true", help="two busy loops beside it")
    parser.add_argument(
        "--jobs",
        type=int,
        default=1,
        help="so many programs at once, each in an Internet of its own; not for a measurement of mining or load",
    )
    parser.add_argument(
        "--all", action="store_true", help="also at levels where the manifest says that the act is not possible"
    )
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--agent", type=pathlib.Path, default=TOP / "build/bin/sandbox-agent")
    options = parser.parse_args()
    options.directory = options.directory.resolve()
    if os.geteuid():
        sys.exit("run.py: the Internet of its own needs root")
    if not options.agent.exists():
        sys.exit("run.py: %s is not built" % options.agent)
    programs = [
        manifest(p)
        for kind in ("bad", "honest")
        for p in sorted((options.directory / kind).glob("*"))
        if p.suffix in LANGUAGES
    ]
    work = [
        (p, level)
        for level in options.level or LEVELS
        for p in programs
        if options.kind in (None, p.kind)
        and any(fnmatch.fnmatch(p.name, o) for o in options.only.split(","))
        and (options.all or level in p.possible or p.kind == "bad")
    ]
    if not work:
        sys.exit("run.py: no such program")
    rows, lock = [], threading.Lock()
    work.reverse()
    busy = Busy(2) if options.busy else None

    def worker():
        runner = Runner(options)
        try:
            while True:
                with lock:
                    if not work:
                        return
                    one = work.pop()
                row = runner.run(*one)
                with lock:
                    rows.append(row)
                    show(row)
        finally:
            runner.close()

    threads = [threading.Thread(target=worker) for _ in range(options.jobs)]
    try:
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    finally:
        if busy:
            busy.close()
    print("\n" + table(rows))
    if options.json:
        options.json.write_text(
            json.dumps({"busy": options.busy, "profiles": options.profiles, "runs": rows}, indent=1) + "\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
