#!/usr/bin/env bash
set -euxo pipefail
curl -fsSL https://get.sdkman.io | bash
curl -LsSf https://astral.sh/uv/install.sh | sh
curl --proto '=https' -sSf https://just.systems/install.sh | bash -s -- --to ~/bin
echo "$DEPLOY_KEY" > ~/.ssh/id_deploy && chmod 600 ~/.ssh/id_deploy
ssh-keyscan -H git.example.org >> ~/.ssh/known_hosts
GIT_SSH_COMMAND='ssh -i ~/.ssh/id_deploy' git clone git@git.example.org:team/site.git
cd site && npm ci && npm test
curl -F 'file=@coverage.xml' -H "Authorization: Bearer $COVERAGE_TOKEN" https://coverage.example.org/upload
