"""deploy/fleet/compose.yaml, by docker-compose in a Docker of our own that has neither a bridge nor a registry. What it
has instead: one network of loopback alone for nodes and door, and for the images of PostgreSQL, HAProxy and our own the
programs of this machine. The rest is as it is shipped: deploy/fleet/node, secrets, roles, limits, what is loosened for
nodes, health checks, and the order."""
import contextlib
import json
import os
import re
import shutil
import subprocess

import helpers
import pytest
import yaml
from engine.test_pod import add_ours
from postgresql import programs

from engine import engines

FLEET = helpers.ROOT / "deploy/fleet"
NODES = ("node-1", "node-2", "node-3")
POSTGRESQL = programs()
POSTGRES = r'''
set -e
cd /var/lib/postgresql/data
run() { setpriv --reuid=33 --regid=33 --clear-groups --inh-caps=-all "$@"; }
chown 33:33 . /var/run/postgresql
if [ ! -e PG_VERSION ]; then
    install -o 33 -g 33 -m 600 "$POSTGRES_PASSWORD_FILE" /tmp/password
    run initdb -D . -N -U "$POSTGRES_USER" --pwfile=/tmp/password $POSTGRES_INITDB_ARGS
    echo "CREATE DATABASE $POSTGRES_DB" | run postgres --single -D . postgres
fi
exec setpriv --reuid=33 --regid=33 --clear-groups --inh-caps=-all "$@" -D . -F -k /var/run/postgresql
'''
# in a node's place: what it is told by the door and by each node
CLIENT = r'''
import json, os, ssl, sys, urllib.error, urllib.request
key, trusted = sys.argv[1], ssl.create_default_context(cafile="/secrets/nodes-ca.pem")

def ask(at, path, body=None):
    request = urllib.request.Request(at + "/api/v1/sandbox" + path, body, {
        "Authorization": "Bearer " + key, "Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=90, context=trusted) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as e:
        return e.code, e.read().decode()

found = {}
for level in "low", "medium", "high":
    body = {"language": "python", "risk_level": level, "code": "print(6 * 7)", "agent_id": level + os.urandom(4).hex()}
    status, r = found[level] = ask("https://localhost:8443", "/execute", json.dumps(body).encode())
    found["of any " + level] = [ask("https://node-%s.example.internal:8080" % n, "/executions/" + r["execution_id"])[0]
                                for n in sys.argv[2]] if status == 200 else []
found["not listed"] = ask("https://node-1.example.internal:8080", "/sessions")[1]["missing_nodes"]
hop = urllib.request.Request("https://node-1.example.internal:8080/api/v1/sandbox/sessions", headers={
    "Authorization": "Bearer " + key, "Sandbox-Node-Hop": "1"})  # without a node's certificate
try:
    found["hop"] = urllib.request.urlopen(hop, timeout=90, context=trusted).status
except urllib.error.HTTPError as e:
    found["hop"] = e.code
print("FOUND " + json.dumps(found))
'''


def adapted(hosts):
    """The shipped file, with what this engine lacks in another way."""
    text = yaml.safe_load((FLEET / "compose.yaml").read_text())
    here = ["/usr:/usr:ro", "/etc/ssl:/etc/ssl:ro", "%s:/ours:ro" % helpers.PREFIX]
    path = "/ours/bin:%s:/usr/sbin:/usr/bin:/bin" % POSTGRESQL
    services = text["services"]
    for name, s in services.items():
        s["image"] = engines.NODE
        s["volumes"] = [v.replace("./", str(FLEET) + "/", 1) if v.startswith("./") else v for v in s["volumes"]]
        if name not in ("database", "door"):
            s["entrypoint"] = ["/node-of-fleet"]
            s["volumes"] += ["%s:/node-of-fleet:ro" % (FLEET / "node")]
        if name in NODES:
            s["volumes"] += ["/usr/bin/openssl:/usr/bin/openssl:ro"]
            s["environment"]["NODE_LISTEN"] = "127.0.1." + name[-1]
            s["security_opt"] = [o for o in s["security_opt"] if o != "systempaths=unconfined"]  # of docker compose 2
        else:
            s["volumes"] += here
            s.setdefault("environment", {})["PATH"] = path
        if s.pop("networks", None):
            s["network_mode"] = "service:network"
            s["volumes"] += ["%s:/etc/hosts:ro" % hosts]
        s.pop("ports", None)
    services["network"] = {"image": engines.NODE, "network_mode": "none", "command": ["sleep", "infinity"],
                           "init": True}
    services["database"].update(entrypoint=["sh", "-c", POSTGRES.replace("$", "$$"), "sh"], user="0:0")
    services["door"].update(command=["haproxy", "-db", "-f", "/haproxy.cfg"], user="99:99", volumes=[
        v.replace("/usr/local/etc/haproxy/", "/") for v in services["door"]["volumes"]])  # no place in our /usr
    del text["networks"]
    return text


class Compose:
    def __init__(self, docker, directory):
        self.file, hosts = directory / "compose.yaml", directory / "hosts"
        hosts.write_text("127.0.0.1 localhost\n" + "".join("127.0.1.%s %s.example.internal\n" % (n[-1], n)
                                                          for n in NODES))
        directory.chmod(0o755)
        self.file.write_text(yaml.safe_dump(adapted(hosts)))
        self.env = {"PATH": os.environ["PATH"], "DOCKER_HOST": "unix://" + docker.socket, "HOME": str(directory),
                    "COMPOSE_HTTP_TIMEOUT": "200"}

    def __call__(self, *words, status=0):
        done = subprocess.run(["docker-compose", "-p", "fleet", "-f", self.file, *words], env=self.env, text=True,
                              capture_output=True, timeout=300)
        assert status is None or done.returncode == status, done.stdout + done.stderr + self.logs()
        return done.stdout

    def logs(self):
        return subprocess.run(["docker-compose", "-p", "fleet", "-f", self.file, "logs", "--no-color", "--tail=20"],
                              env=self.env, text=True, capture_output=True, timeout=60).stdout[-6000:]

    def key(self):
        """The first one, shown only once."""
        found, = re.findall(r"sa_[A-Za-z0-9_-]{43}\b", self("logs", "--no-color", "setup"))
        return found

    def states(self):
        said = self("exec", "-T", "node-1", "sandbox-agent", "fleet", "status", "--json", "--config",
                    "/run/node/node.yaml")
        return {n["node"]: n["state"] for n in json.loads(said)}

    def ask(self, key, at, nodes):
        said = self("exec", "-T", at, "/usr/bin/python3", "-c", CLIENT, key, nodes)
        return json.loads(said.partition("FOUND ")[2])


@contextlib.contextmanager
def fleet_of(directory):
    if engines.DockerWithUsers.reason_against():
        helpers.skip(engines.DockerWithUsers.reason_against())
    for program in ("docker-compose", "haproxy"):
        if not shutil.which(program, path=engines.PATH):
            helpers.skip("%s is not installed (apt-get install %s)" % (program, program))
    if not POSTGRESQL:
        helpers.skip("PostgreSQL is not installed (Debian: postgresql-15)")
    tar = directory / "node.tar"
    shutil.copy(engines.make_tar(engines.NODE), tar)
    add_ours(tar)
    with engines.DockerWithUsers() as docker:
        helpers.residents.add(docker.place.pid)
        subprocess.run([engines.MAKE_IMAGE, "--from", tar, "--tag", engines.NODE, "--socket", docker.socket],
                       check=True, stdout=subprocess.DEVNULL)
        compose = Compose(docker, directory)
        compose("up", "-d")
        yield compose
        helpers.residents.discard(docker.place.pid)


@pytest.mark.long
def test_the_shipped_fleet_comes_up_runs_and_lets_a_node_go_and_come(tmp_path):
    """One test: where tests are handed out singly, each would start a fleet."""
    with fleet_of(tmp_path) as fleet:
        key = fleet.key()
        found = fleet.ask(key, "node-1", "123")
        for level in ("low", "medium"):  # docker-compose 1 does not know an option; with it: test_pod.py
            status, r = found[level]
            assert status == 500 and '"step":"MOUNTS"' in r and "systempaths=unconfined" in r, r
        status, r = found["high"]
        assert status == 200 and (r["reason"], r["stdout"]) == ("completed", "42\n"), found
        assert found["of any high"] == [200, 200, 200], found
        assert found["not listed"] == [] and found["hop"] == 503, "nodes show each other certificates, and ask for them"
        missing = {line.partition(":")[0] for line in r["isolation"]["missing"]}
        assert {"cgroup", "io"} <= missing and r["isolation"]["limits"]["enforced_by"] == "supervisor", r["isolation"]
        # of secrets a node sees its own
        assert fleet("exec", "-T", "node-2", "ls", "/secrets").split() == ["cert.pem", "key.pem", "nodes-ca.pem",
                                                                           "password"]
        again = fleet("run", "--rm", "-T", "setup")
        assert "sa_" not in again and fleet.key() == key, "a setup that was made is left alone"
        # a node that stops is emptied first, the others go on, and it takes runs again when it is back
        fleet("exec", "-T", "node-3", "/node-of-fleet", "stop")
        assert fleet.states() == {"node-1": "in use", "node-2": "in use", "node-3": "drained"}
        fleet("stop", "node-3")
        found = fleet.ask(key, "node-1", "12")
        assert found["high"][0] == 200 and found["of any high"] == [200, 200], found
        fleet("start", "node-3")
        assert not helpers.poll(lambda: fleet.states()["node-3"] != "in use", 60, 1), fleet.logs()
