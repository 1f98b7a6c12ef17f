v=1.7.1
cd /tmp
curl -fsSLO "https://github.com/jqlang/jq/releases/download/jq-$v/jq-linux-amd64"
curl -fsSLO "https://github.com/jqlang/jq/releases/download/jq-$v/sha256sum.txt"
grep ' jq-linux-amd64$' sha256sum.txt | sha256sum -c -
install -D -m 755 jq-linux-amd64 ~/.local/bin/jq
~/.local/bin/jq --version
