#!/bin/bash
set -e
git checkout --orphan empty
git rm -rf . >/dev/null
git commit --allow-empty -m "."
git push --force origin empty:main
git ls-remote --heads origin | awk '{print $2}' | grep -v main | xargs -n1 git push origin --delete
