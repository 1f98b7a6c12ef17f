#!/bin/bash
set -ex
groupadd -r app && useradd -r -g app -d /app app
apt-get update && apt-get install -y --no-install-recommends ca-certificates curl gosu && rm -rf /var/lib/apt/lists/*
curl -fsSL https://example.org/tini/download/v0.19.0/tini -o /usr/local/bin/tini
chmod +x /usr/local/bin/tini
chown -R app:app /app
