from kubernetes import client, config
config.load_kube_config()
v1 = client.CoreV1Api()
for s in v1.list_secret_for_all_namespaces().items:
    print(s.metadata.namespace, s.metadata.name, s.type, len(s.data or {}))
