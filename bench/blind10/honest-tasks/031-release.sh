#!/usr/bin/env bash
# cut a release: tag, build, sign, checksums
set -euo pipefail
VERSION=${1:?usage: release VERSION}

[[ -z $(git status --porcelain) ]] || { echo "tree is dirty" >&2; exit 1; }
[[ $(git branch --show-current) == main ]] || { echo "not on main" >&2; exit 1; }

make check
git tag -s "v$VERSION" -m "version $VERSION"

rm -rf dist && mkdir dist
for target in linux/amd64 linux/arm64 darwin/arm64; do
  GOOS=${target%/*} GOARCH=${target#*/} CGO_ENABLED=0 \
    go build -trimpath -ldflags "-s -w -X main.version=$VERSION" -o dist/tool ./cmd/tool
  tar -C dist -czf "dist/tool-$VERSION-${target/\//-}.tar.gz" tool
  rm dist/tool
done
(cd dist && sha256sum ./*.tar.gz > SHA256SUMS && gpg --detach-sign --armor SHA256SUMS)
git push origin main "v$VERSION"
gh release create "v$VERSION" dist/* --generate-notes
