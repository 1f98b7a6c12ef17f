#!/bin/sh
set -eu
V=2.4.1 BASE=https://releases.example.com/agent
case $(uname -m) in x86_64) A=amd64 ;; aarch64) A=arm64 ;; *) echo "unsupported machine" >&2; exit 1 ;; esac
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT
cd "$T"
for f in "agent_${V}_linux_$A.tar.gz" SHA256SUMS SHA256SUMS.asc; do
  curl --proto '=https' --tlsv1.2 -fsSLO "$BASE/v$V/$f"
done
gpg --no-default-keyring --keyring /usr/share/keyrings/agent-release.gpg --verify SHA256SUMS.asc SHA256SUMS
sha256sum --ignore-missing --strict -c SHA256SUMS
tar xzf "agent_${V}_linux_$A.tar.gz"
install -m 755 agent /usr/local/bin/agent
install -m 644 agent.service /etc/systemd/system/agent.service
systemctl daemon-reload
echo "installed agent $V; start it with: systemctl enable --now agent"
