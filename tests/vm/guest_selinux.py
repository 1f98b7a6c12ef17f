"""SELinux: Debian's policy with our module, first permissive, then enforcing. As root in a guest whose kernel has it:
    tests/vm/run.sh --selinux -- bash tests/vm/guest-tests.sh selinux

The image boots without a policy; it is loaded here, and what the sandbox shows is labelled. Then all runs as an
administrator's shell would, unconfined_t.
"""
import os
import subprocess
import sys

import guest_sandbox as sandbox
from guest_report import STAGE, expect, note, read, run_tests, seconds, write

HAND = os.path.join(STAGE, ".vm/selinux.tar")  # of run.sh --selinux
ENFORCE = "/sys/fs/selinux/enforce"
SHELL = "unconfined_u:unconfined_r:unconfined_t:s0"
TYPES = {"low": "sandbox_agent_t", "medium": "sandbox_agent_confined_t", "high": "sandbox_agent_confined_t"}
OWN_LABEL = "cat /proc/self/attr/current"


def must(*argv):
    done = subprocess.run(argv, capture_output=True, text=True, timeout=seconds(600))
    expect(done.returncode == 0, "%s: %d %s" % (" ".join(argv), done.returncode, (done.stdout + done.stderr)[-800:]))
    return done.stdout


def load():
    must("tar", "-C", "/", "--keep-directory-symlink", "-xf", HAND)
    if not os.path.exists(ENFORCE):
        must("mount", "-t", "selinuxfs", "selinuxfs", "/sys/fs/selinux")
    must("load_policy")
    expect(read(ENFORCE) == "0", "it boots enforcing")
    must("restorecon", "-R", "/usr", "/etc", "/dev", "/tmp", "/run", "/root")


def denials():
    """Of our types, as the kernel's log has them. It drops what comes too fast."""
    said = subprocess.run(["dmesg"], capture_output=True, text=True).stdout.splitlines()
    return [line[line.index("avc:"):] for line in said if "avc:" in line and "sandbox_agent" in line]


def label(level, *options):
    run = sandbox.run_code(level, "bash", OWN_LABEL, *options)
    expect(run.reason == "completed", "%s; %s" % (run, denials()[-5:]))
    missing = [line for line in run.missing if line.startswith("selinux:")]
    return run["stdout"].strip("\0\n"), run["isolation"]["selinux"], missing


def changed(level, **keys):
    """A file of the level with security.selinux changed, and with one more of security.require. -> options"""
    with open(os.path.join(STAGE, "build/share/sandbox-agent/profiles/%s-risk.yaml" % level)) as file:
        text = file.read()
    changes = [("  selinux: auto", "  selinux: " + keys["selinux"])]
    if "require" in keys:
        changes.append(("  require: [", "  require: [%s, " % keys["require"]))
    for old, new in changes:
        expect(text.count(old) == 1, "the profile has not one line «%s»" % old)
        text = text.replace(old, new)
    path = os.path.join(sandbox.work, "changed.yaml")
    write(path, text)
    return "--profile", path


def run_changed(keys, text, *options):
    code = sandbox.code_file("bash", text)
    return sandbox.agent("run", "--json", *changed("low", **keys), "--language", "bash", "--code", code, *options)


def permissive_is_not_called_enforced():
    for level in ("low", "medium"):
        now, told, missing = label(level)
        expect(":%s:" % TYPES[level] in now, "the program runs as %s" % now)
        expect(told is None and not missing, "told %s, missing %s" % (told, missing))
    run = run_changed({"selinux": "default"}, OWN_LABEL)
    expect([line for line in run.missing if line.startswith("selinux:")],
           "asked for, not enforced, not missed: %s" % run.missing)
    note("denied if it enforced: %s" % "\n".join(denials()))


def every_language_runs_as_its_type():
    for language in sandbox.PROGRAMS:
        for level in sandbox.LEVELS:
            run = sandbox.run_code(level, language, sandbox.PROGRAMS[language][level])
            if (level, language) == ("high", "bash") and run.reason == "policy_denied":
                continue
            expect(run.reason == "completed" and run["stdout"] == sandbox.PRINTED,
                   "%s at %s: %s; %s" % (language, level, run, denials()[-5:]))
            expect(run["isolation"]["selinux"] == TYPES[level], "%s at %s: %s" % (language, level, run["isolation"]))


def program_sees_its_type():
    for level in ("low", "medium"):
        now, told, missing = label(level)
        expect(now == SHELL.replace("unconfined_t", TYPES[level]) and told == TYPES[level] and not missing,
               "%s %s %s" % (now, told, missing))


def what_the_policy_protects_is_out_of_reach():
    """A file that mounts and landlock show and that its owner may read, but that is labelled as /etc/shadow is."""
    folder = os.path.join(sandbox.work, "volume")
    os.makedirs(folder, exist_ok=True)
    os.chmod(folder, 0o755)
    for name, kind in (("plain", "user_tmp_t"), ("secret", "shadow_t")):
        write(os.path.join(folder, name), name + "\n")
        os.chmod(os.path.join(folder, name), 0o644)
        must("chcon", "system_u:object_r:%s:s0" % kind, os.path.join(folder, name))
    text = "cat /data/plain; cat /data/secret || echo refused"
    free = run_changed({"selinux": "none"}, text, "--volume", folder + ":/data:ro")
    expect(free["stdout"] == "plain\nsecret\n", "without a type: %s" % free)
    bound = run_changed({"selinux": "default"}, text, "--volume", folder + ":/data:ro")
    expect(bound["stdout"] == "plain\nrefused\n", "with a type: %s" % bound)


def none_leaves_it_as_it_is():
    run = run_changed({"selinux": "none"}, OWN_LABEL)
    expect(run["stdout"].strip("\0\n") == SHELL, str(run))
    expect(run["isolation"]["selinux"] is None and not [line for line in run.missing if line.startswith("selinux:")],
           str(run.missing))


def unknown_type_is_missed_or_refused():
    run = run_changed({"selinux": "no_such_type_t"}, "echo up")
    expect(run["stdout"] == "up\n" and [line for line in run.missing if line.startswith("selinux:")], str(run))
    run = run_changed({"selinux": "no_such_type_t", "require": "selinux"}, "echo up")
    expect(run.status == 123 and "selinux" in str(run["error"]), str(run))
    run = run_changed({"selinux": "default", "require": "selinux"}, "echo up")
    expect(run["stdout"] == "up\n", str(run))


def no_type_is_told_that_the_program_has_not():
    """Of a domain that this role may not have, and of one that may be entered by its own program only."""
    for kind in ("sshd_t", "chkpwd_t"):
        run = run_changed({"selinux": kind}, OWN_LABEL)
        note("%s: %s %s" % (kind, run.reason, run["stdout"].strip("\0\n")))
        if run.reason == "completed":
            expect(run["stdout"].strip("\0\n") == SHELL and run["isolation"]["selinux"] is None, str(run))
            expect([line for line in run.missing if line.startswith("selinux:")], str(run.missing))
        else:
            expect(run["stdout"] == "", str(run))


def inside():
    names = lambda *tests: [(test.__name__.replace("_", " "), test) for test in tests]
    sandbox.work = must("mktemp", "-d").strip()
    os.chmod(sandbox.work, 0o755)
    failed = run_tests("selinux permissive", names(permissive_is_not_called_enforced))
    must("setenforce", "1")
    try:
        failed += run_tests("selinux", names(
            program_sees_its_type, every_language_runs_as_its_type, what_the_policy_protects_is_out_of_reach,
            none_leaves_it_as_it_is, unknown_type_is_missed_or_refused, no_type_is_told_that_the_program_has_not))
    finally:
        must("setenforce", "0")
    if failed:
        note("\n".join(denials()[-40:]))
    return min(failed, 1)


def main():
    if sys.argv[1:] == ["inside"]:
        return inside()
    if run_tests("selinux", [("policy loads", load)]):
        return 1
    note("policy capability nnp_nosuid_transition: %s" %
         read("/sys/fs/selinux/policy_capabilities/nnp_nosuid_transition"))
    return subprocess.run(["runcon", SHELL, sys.executable, __file__, "inside"]).returncode


if __name__ == "__main__":
    sys.exit(main())
