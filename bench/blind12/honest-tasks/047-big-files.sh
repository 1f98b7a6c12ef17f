#!/bin/bash
# largest blobs in history
git rev-list --objects --all |
  git cat-file --batch-check='%(objecttype) %(objectname) %(objectsize) %(rest)' |
  awk '$1 == "blob" {print $3, $4}' |
  sort -rn |
  head -n 15 | numfmt --field=1 --to=iec
