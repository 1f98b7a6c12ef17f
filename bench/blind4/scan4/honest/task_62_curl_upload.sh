#!/bin/sh
# puts the package into our own registry
set -eu
: "${NEXUS_USER:?}" "${NEXUS_PASS:?}"
for f in dist/*.whl; do
  curl -fsS -u "$NEXUS_USER:$NEXUS_PASS" --upload-file "$f" "https://nexus.acme.example/repository/pypi-internal/$(basename "$f")"
done
