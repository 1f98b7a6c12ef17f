#!/usr/bin/env bash
set -euo pipefail
: "${BACKUP_BUCKET:?set BACKUP_BUCKET}" "${PGDATABASE:?}"
stamp=$(date +%F)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pg_dump --format=custom --file="$work/db.dump"
tar -czf "$work/uploads.tgz" -C /srv/app uploads
sha256sum "$work"/* | sed "s#$work/##" > "$work/SHA256SUMS"
aws s3 cp --recursive --only-show-errors "$work" "s3://$BACKUP_BUCKET/$stamp/"
aws s3 ls "s3://$BACKUP_BUCKET/" | awk '{print $2}' | tr -d / | sort | head -n -14 | while read -r old; do
  aws s3 rm --recursive --only-show-errors "s3://$BACKUP_BUCKET/$old/"
done
echo "backup $stamp done"
