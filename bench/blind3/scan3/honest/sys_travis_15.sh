#!/usr/bin/env bash
# .ci/install.sh
if [[ $OS == linux ]]; then
  sudo apt-get -qq update
  sudo apt-get install -y libgtk-3-dev xvfb
  sudo sysctl -w kernel.yama.ptrace_scope=0
  Xvfb :99 -screen 0 1280x1024x24 &
  export DISPLAY=:99
elif [[ $OS == macos ]]; then
  brew bundle --file .ci/Brewfile
fi
curl -sSL https://install.python-poetry.org | python3 -
poetry install -n
bash <(curl -s https://codecov.io/bash) -f coverage.xml || echo "no coverage upload"
[[ -n $ENCRYPTED_KEY ]] && openssl aes-256-cbc -d -K "$ENCRYPTED_KEY" -iv "$ENCRYPTED_IV" -in .ci/key.enc -out ~/.ssh/id_ci && chmod 600 ~/.ssh/id_ci
true
