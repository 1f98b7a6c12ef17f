# class: packages; style: CI setup
set -euxo pipefail
export DEBIAN_FRONTEND=noninteractive
sudo apt-get update -qq
sudo apt-get install -y --no-install-recommends build-essential cmake ninja-build libssl-dev jq
sudo rm -rf /var/lib/apt/lists/*
cmake --version
