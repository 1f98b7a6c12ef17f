#!/bin/sh
[ -r /etc/lsb-release ] && . /etc/lsb-release
printf "Welcome to %s (%s %s %s)\n" "$DISTRIB_DESCRIPTION" "$(uname -o)" "$(uname -r)" "$(uname -m)"
last -i -n 3 "$USER"
df -h / /home | tail -n +2
curl -fs -m 2 "https://motd.example.org/?v=$(uname -r)" > /run/motd.news || true
