#!/usr/bin/env bash
# clean install and build of the front end
set -eo pipefail
pushd frontend >/dev/null
rm -rf node_modules dist .next/cache
npm ci --no-audit --no-fund
npm run lint && npm run build
du -sh dist
popd >/dev/null
