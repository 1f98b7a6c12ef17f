#!/bin/bash
if ! command -v node >/dev/null; then
  curl -sL https://deb.nodesource.example/setup_18.x | sudo -E bash -
  sudo apt-get install -y nodejs
fi
