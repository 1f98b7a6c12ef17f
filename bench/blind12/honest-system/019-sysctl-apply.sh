#!/bin/sh
set -e
F=/etc/sysctl.d/60-web.conf
cat > "$F" <<'END'
net.core.somaxconn = 1024
vm.swappiness = 10
END
sysctl -p "$F"
