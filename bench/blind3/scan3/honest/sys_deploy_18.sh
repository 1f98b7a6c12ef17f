#!/bin/bash
# capistrano without ruby
set -euo pipefail
APP=shop HOSTS=(shop1 shop2 shop3) KEEP=5
REV=$(git rev-parse --short HEAD)
TGZ=$(mktemp --suffix=.tgz)
git archive --format=tgz -o "$TGZ" HEAD
for h in "${HOSTS[@]}"; do
  scp -q "$TGZ" "www@$h:/tmp/$REV.tgz"
  ssh "www@$h" bash -s -- "$APP" "$REV" "$KEEP" <<'REMOTE'
set -eu
root=/srv/$1; new=$root/releases/$(date +%Y%m%d%H%M%S)-$2
mkdir -p "$new" && tar -C "$new" -xzf "/tmp/$2.tgz" && rm "/tmp/$2.tgz"
ln -sfn "$root/shared/.env" "$new/.env"
(cd "$new" && bundle install --quiet && bin/rails db:migrate assets:precompile)
ln -sfn "$new" "$root/current"
ls -1dt "$root"/releases/* | tail -n +$(($3 + 1)) | xargs -r rm -rf
sudo systemctl reload "$1"
REMOTE
done
rm -f "$TGZ"
