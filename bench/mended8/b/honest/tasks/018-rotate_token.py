"""Rotate the deploy token of the billing service."""
import base64
import logging
import os
import secrets

import hvac
from kubernetes import client, config

log = logging.getLogger("rotate")
NS, SECRET, PATH = "billing", "billing-api", "billing/api"


def store_in_vault(token: str) -> None:
    v = hvac.Client(url=os.environ["VAULT_ADDR"], token=os.environ["VAULT_TOKEN"])
    v.secrets.kv.v2.create_or_update_secret(path=PATH, secret={"token": token})


def patch_cluster(token: str) -> None:
    config.load_kube_config()
    core, apps = client.CoreV1Api(), client.AppsV1Api()
    core.patch_namespaced_secret(SECRET, NS, {"data": {"token": base64.b64encode(token.encode()).decode()}})
    stamp = {"spec": {"template": {"metadata": {"annotations": {"rotated": secrets.token_hex(4)}}}}}
    apps.patch_namespaced_deployment("billing", NS, stamp)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    fresh = secrets.token_urlsafe(48)
    store_in_vault(fresh)
    patch_cluster(fresh)
    log.info("rotated %s, length %d", PATH, len(fresh))
