#!/bin/bash
set -u
mkdir -p offline && cd offline
wget --mirror --convert-links --adjust-extension --page-requisites --no-parent \
  --wait=1 --random-wait --user-agent='docs-mirror (me@example.com)' \
  --directory-prefix=. https://docs.example.org/manual/ 2>wget.log
find . -name '*.html' | wc -l
tail -3 wget.log
