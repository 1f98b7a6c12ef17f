#!/bin/sh
mkdir -p config
cat > config/app.ini <<INI
[server]
host = 127.0.0.1
port = ${PORT:-8080}
INI
cat config/app.ini
