#!/bin/bash
set -e
ufw default deny incoming
ufw default allow outgoing
for p in 22/tcp 80/tcp 443/tcp; do ufw allow "$p"; done
ufw --force enable
ufw status numbered
