#!/bin/bash
set -eux
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends build-essential cmake ninja-build git curl ca-certificates python3-venv
apt-get clean
rm -rf /var/lib/apt/lists/*
useradd -m -s /bin/bash dev
install -d -o dev -g dev /workspace
gcc --version | head -1
