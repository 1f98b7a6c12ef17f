"""sandboxd in a container that is as a pod of Kubernetes with hostUsers: false: an ordinary user without a capability,
a root that nobody may write, no_new_privs. Two things must be loosened for it, and this shows what each is for."""
import json
import shutil
import subprocess
import tarfile

import helpers
import pytest

from engine import engines

# the first process of the container: a service, and a client that prints what /readyz and each level's run say
CLIENT = r'''
import json, re, subprocess, time, urllib.error, urllib.request
open("/state/config.yaml", "w").write("""
sandbox: {paths: {state_dir: /state/s, log_dir: /state/l}}
""")
out = open("/state/out", "wb")
service = subprocess.Popen(["/usr/bin/sandboxd", "--config", "/state/config.yaml", "--listen", "127.0.0.1:8080"],
                           stdout=out, stderr=out, env={"HOME": "/state", "PATH": "/usr/bin:/bin"})

def ask(path, key=None, body=None):
    headers = {"Authorization": "Bearer " + key, "Content-Type": "application/json"} if key else {}
    try:
        with urllib.request.urlopen(urllib.request.Request("http://127.0.0.1:8080" + path, body, headers),
                                    timeout=90) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as e:
        return e.code, e.read().decode()

def first_key():
    found = re.search(r"first key.*?(sa_[A-Za-z0-9_-]{43})\b", open("/state/out").read())
    return found and found[1]

while not (key := first_key()):
    if service.poll() is not None:
        raise SystemExit(open("/state/out").read())
    time.sleep(0.05)
while True:
    try:
        ask("/healthz")
        break
    except OSError:
        time.sleep(0.05)
found = {"readyz": ask("/readyz")[0]}
for level in "low", "medium", "high":
    body = {"language": "python", "risk_level": level, "code": "print(6 * 7)"}
    found[level] = json.loads(ask("/api/v1/sandbox/execute", key, json.dumps(body).encode())[1])
service.terminate()
found["status"] = service.wait(60)
print("FOUND " + json.dumps(found))
'''
LEAST = {"CapDrop": ["ALL"], "ReadonlyRootfs": True, "SecurityOpt": ["no-new-privileges", "seccomp=unconfined"],
         "MaskedPaths": [], "ReadonlyPaths": [],
         "Tmpfs": {"/tmp": "mode=1777", "/state": "mode=0700,uid=1000,gid=1000"}}


def add_ours(tar):
    """Our programs, as an installation in /usr has them."""
    with tarfile.open(tar) as t:
        known = set(t.getnames())

    def owned_by_root(member):
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        return None if member.isdir() and member.name in known else member
    with tarfile.open(tar, "a") as t:
        for name in ("bin/sandboxd", "bin/sandbox-agent"):
            t.add(helpers.PREFIX / name, "usr/" + name, filter=owned_by_root)
        for name in ("libexec/sandbox-agent", "share/sandbox-agent"):
            t.add(helpers.PREFIX / name, "usr/" + name, filter=owned_by_root)


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    """-> function of a container's host options: what the client in it found"""
    if engines.DockerWithUsers.reason_against():
        helpers.skip(engines.DockerWithUsers.reason_against())
    tar = tmp_path_factory.mktemp("node") / "node.tar"
    shutil.copy(engines.make_tar(engines.NODE), tar)
    add_ours(tar)
    with engines.DockerWithUsers() as docker:
        helpers.residents.add(docker.place.pid)
        subprocess.run([engines.MAKE_IMAGE, "--from", tar, "--tag", engines.NODE, "--socket", docker.socket],
                       check=True, stdout=subprocess.DEVNULL)

        def run(**more):
            status, said = docker.run(engines.NODE, ["/usr/bin/python3", "-c", CLIENT], host={**LEAST, **more},
                                      User="1000:1000")
            found = [line for line in said.splitlines() if line.startswith("FOUND ")]
            assert status == 0 and found, said
            return json.loads(found[0].removeprefix("FOUND "))
        yield run
        helpers.residents.discard(docker.place.pid)


def test_a_node_without_any_capability_runs_every_level_in_its_own_users(node):
    found = node()
    assert found["readyz"] == 200 and found["status"] == 0, found
    for level in helpers.LEVELS:
        r = found[level]
        assert (r["reason"], r["exit_code"], r["stdout"]) == ("completed", 0, "42\n"), r
        i = r["isolation"]
        assert i["user_ns"] and i["pid_ns"] and i["mount_ns"] and i["seccomp"] and i["no_new_privs"], i
        assert i["caps"] == 0 and i["uid"]["host"] == 1000, i
        # the container's groups are not ours to write: said, and measured instead
        assert i["cgroup"] == "none" and i["limits"]["enforced_by"] == "supervisor", i
        assert any(line.startswith("cgroup: ") for line in i["missing"]), i


@pytest.mark.parametrize("taken, levels, step", [
    ({"SecurityOpt": ["no-new-privileges"]}, ("low", "medium", "high"), "CLONE"),
    ({"MaskedPaths": None, "ReadonlyPaths": None}, ("low", "medium"), "MOUNTS")],
    ids=["the engine's filter allows no user namespace", "a masked proc allows no fresh one"])
def test_what_is_loosened_is_needed_and_its_absence_is_told(node, taken, levels, step):
    found = node(**taken)
    for level in levels:
        r = found[level]
        assert r["error"]["code"] == "sandbox_error" and r["error"]["details"]["step"] == step, r
