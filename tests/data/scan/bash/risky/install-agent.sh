#!/usr/bin/env bash
set -euo pipefail
VERSION="${1:-latest}"
URL="https://get.example-agent.io/${VERSION}/install.sh"
echo "Installing agent $VERSION"
curl -fsSL "$URL" -o /tmp/install.sh
chmod +x /tmp/install.sh
/tmp/install.sh --quiet
