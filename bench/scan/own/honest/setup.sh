#!/bin/bash
# sets a project up
set -euo pipefail
sudo apt-get update && sudo apt-get install -y jq python3-venv
git clone https://github.com/example/app.git || (cd app && git pull)
cd app
python3 -m venv .venv && . .venv/bin/activate
pip install -r requirements.txt
[ -f .env ] || cp .env.example .env
set -a; source .env; set +a
npm ci && npm run build
echo "export PATH=\$PATH:$PWD/bin" > env.sh
