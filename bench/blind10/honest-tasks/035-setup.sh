#!/usr/bin/env bash
# Setup for new web developers. Safe to run twice.
set -euo pipefail

say() { printf '\033[1m%s\033[0m\n' "$*"; }

say "system packages"
sudo apt-get update -q
sudo apt-get install -y -q git build-essential postgresql redis-server

say "node"
export NVM_DIR="$HOME/.nvm"
if [ ! -d "$NVM_DIR" ]; then
  git clone -q --branch v0.40.1 https://git.shop.example/mirror/nvm.git "$NVM_DIR"
fi
. "$NVM_DIR/nvm.sh"
nvm install --lts
corepack enable

say "database"
sudo -u postgres psql -tc "SELECT 1 FROM pg_roles WHERE rolname='$USER'" | grep -q 1 || sudo -u postgres createuser -s "$USER"
createdb shop_dev 2>/dev/null || true

say "project"
[ -f .env ] || cp .env.sample .env
pnpm install --frozen-lockfile
pnpm run db:migrate
grep -q 'NVM_DIR' ~/.bashrc || printf '\nexport NVM_DIR="$HOME/.nvm"\n. "$NVM_DIR/nvm.sh"\n' >> ~/.bashrc
