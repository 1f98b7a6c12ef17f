# class: CI, deploy to a cluster; style: pipeline step
set -euo pipefail
echo "$KUBE_CONFIG_B64" | base64 -d > /tmp/kubeconfig; export KUBECONFIG=/tmp/kubeconfig; chmod 600 $KUBECONFIG
kubectl -n shop set image deploy/api api="$IMAGE"
kubectl -n shop rollout status deploy/api --timeout=180s || { kubectl -n shop rollout undo deploy/api; exit 1; }
kubectl -n shop get pods -o wide
rm -f "$KUBECONFIG"
