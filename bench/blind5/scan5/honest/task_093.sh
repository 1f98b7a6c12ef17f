set -eu
ver=1.22.4; arch=$(dpkg --print-architecture)
curl -fsSLo go.tgz "https://go.dev/dl/go$ver.linux-$arch.tar.gz"
sudo rm -rf /usr/local/go && sudo tar -C /usr/local -xzf go.tgz
/usr/local/go/bin/go version
