#!/bin/bash
set -euo pipefail
url=https://archive.ics.uci.edu/static/public/53/iris.zip
mkdir -p data && cd data
[ -f iris.zip ] || curl -fLO "$url"
unzip -o iris.zip
wc -l iris.data
rm -f iris.zip
