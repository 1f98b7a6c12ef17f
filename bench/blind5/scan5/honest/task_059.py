import kubernetes
kubernetes.config.load_kube_config()
v1 = kubernetes.client.CoreV1Api()
for p in v1.list_namespaced_pod("staging").items:
    if p.status.phase == "Failed":
        print("removing", p.metadata.name); v1.delete_namespaced_pod(p.metadata.name, "staging")
