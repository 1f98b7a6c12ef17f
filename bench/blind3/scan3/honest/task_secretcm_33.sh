#!/bin/sh
# a secret for the staging namespace, from the local file
set -eu
test -f .env.staging
kubectl -n staging create secret generic api-env --from-env-file=.env.staging --dry-run=client -o yaml | kubectl apply -f -
kubectl -n staging set env deploy/api --from=secret/api-env
openssl rand -base64 32 | tr -d '\n' > session.key
chmod 600 session.key
