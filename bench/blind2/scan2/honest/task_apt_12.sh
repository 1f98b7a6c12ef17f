# class: package install, as root; style: agent
export DEBIAN_FRONTEND=noninteractive
sudo apt-get update -qq && sudo apt-get install -y -qq --no-install-recommends build-essential libpq-dev ffmpeg jq
ffmpeg -version | head -1
sudo rm -rf /var/lib/apt/lists/*
