#!/bin/bash
# new image to our namespace, waits and goes back on failure
set -e
NS=shop; APP=api; IMG=registry.acme.example/shop/api:${1:?tag}
kubectl -n $NS set image deploy/$APP $APP="$IMG"
if ! kubectl -n $NS rollout status deploy/$APP --timeout=180s; then
  kubectl -n $NS rollout undo deploy/$APP
  kubectl -n $NS get pods -l app=$APP
  exit 1
fi
