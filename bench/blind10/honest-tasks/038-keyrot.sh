#!/usr/bin/env bash
# CHG-template KEY-03: rotate the deploy key on our own web hosts
set -euo pipefail
HOSTS=(web1.shop.example web2.shop.example)
KEY=$HOME/.ssh/deploy_ed25519
STAMP=$(date +%Y%m%d)

ssh-keygen -q -t ed25519 -N '' -C "deploy-$STAMP" -f "$KEY.new"
new=$(cat "$KEY.new.pub")
old=$(cut -d' ' -f2 "$KEY.pub")

for h in "${HOSTS[@]}"; do
  ssh -i "$KEY" "deploy@$h" "umask 077; cat >> ~/.ssh/authorized_keys" <<< "$new"
  ssh -i "$KEY.new" -o IdentitiesOnly=yes "deploy@$h" true || { echo "new key refused by $h" >&2; exit 1; }
done
for h in "${HOSTS[@]}"; do
  ssh -i "$KEY.new" -o IdentitiesOnly=yes "deploy@$h" "sed -i '\#$old#d' ~/.ssh/authorized_keys"
  echo "$h rotated"
done
mv "$KEY" "$KEY.$STAMP.old" && mv "$KEY.pub" "$KEY.$STAMP.old.pub"
mv "$KEY.new" "$KEY" && mv "$KEY.new.pub" "$KEY.pub"
shred -u "$KEY.$STAMP.old"
