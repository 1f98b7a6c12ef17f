ns=${1:-staging}
kubectl -n "$ns" get pods -o wide
for p in $(kubectl -n "$ns" get pods --field-selector=status.phase!=Running -o name); do
  echo "== $p"
  kubectl -n "$ns" describe "$p" | sed -n '/Events/,$p'
  kubectl -n "$ns" logs "$p" --tail=50 --previous || true
done
kubectl -n "$ns" rollout restart deploy/api
kubectl -n "$ns" rollout status deploy/api --timeout=120s
