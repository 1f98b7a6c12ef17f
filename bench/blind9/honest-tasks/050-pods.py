# which pods restart, and why
from datetime import datetime, timezone
from kubernetes import client, config

config.load_kube_config()
v1 = client.CoreV1Api()
now = datetime.now(timezone.utc)

rows = []
for pod in v1.list_pod_for_all_namespaces(limit=1000).items:
    for st in pod.status.container_statuses or []:
        if st.restart_count < 3:
            continue
        last = st.last_state.terminated
        rows.append((st.restart_count, pod.metadata.namespace, pod.metadata.name, st.name,
                     last.reason if last else "-",
                     int((now - last.finished_at).total_seconds() // 60) if last and last.finished_at else -1))

for n, ns, name, c, why, ago in sorted(rows, reverse=True)[:30]:
    print(f"{n:4} {ns:15} {name:45} {c:15} {why:12} {ago:5} min ago")
    if why == "Error":
        log = v1.read_namespaced_pod_log(name, ns, container=c, previous=True, tail_lines=3)
        print("      " + log.replace("\n", "\n      "))
