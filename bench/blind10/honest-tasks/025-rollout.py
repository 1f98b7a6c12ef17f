"""Checks that the deployments of a namespace are completely rolled out."""
import argparse
import sys

from kubernetes import client, config


def not_ready(ns: str):
    apps, core = client.AppsV1Api(), client.CoreV1Api()
    for d in apps.list_namespaced_deployment(ns).items:
        want, have = d.spec.replicas or 0, d.status.ready_replicas or 0
        if have < want:
            yield f"deployment {d.metadata.name}: {have}/{want} ready"
    for p in core.list_namespaced_pod(ns).items:
        for s in p.status.container_statuses or []:
            if s.restart_count > 5:
                yield f"pod {p.metadata.name}: {s.name} restarted {s.restart_count} times"


if __name__ == "__main__":
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("namespace")
    ap.add_argument("--context")
    a = ap.parse_args()
    config.load_kube_config(context=a.context)
    problems = list(not_ready(a.namespace))
    print("\n".join(problems) or "all ready")
    sys.exit(bool(problems))
