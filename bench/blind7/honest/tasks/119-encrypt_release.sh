#!/bin/sh
set -eu
v=$(cat VERSION)
to=${1:-customer@example.com}
git archive --prefix="app-$v/" -o "dist/app-$v.tar.gz" "v$v"
gpg --batch --yes --trust-model always -r "$to" --output "dist/app-$v.tar.gz.gpg" --encrypt "dist/app-$v.tar.gz"
gpg --batch --yes --armor --detach-sign "dist/app-$v.tar.gz.gpg"
sha256sum "dist/app-$v.tar.gz.gpg" > "dist/app-$v.sha256"
curl -fsS --netrc-optional -T "dist/app-$v.tar.gz.gpg" "https://files.example.com/drop/"
