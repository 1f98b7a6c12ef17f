#!/usr/bin/env bash
name=$(basename "$PWD")
stamp=$(date +%F)
mkdir -p ../backups
tar --exclude=node_modules --exclude=.venv --exclude=.git -czf "../backups/$name-$stamp.tgz" .
ls -lh "../backups/$name-$stamp.tgz"
find ../backups -name "$name-*.tgz" -mtime +30 -print -delete
