#!/usr/bin/env bash
set -euo pipefail
npm ci
npm run lint
npm test -- --coverage
npm run build
du -sh dist
