#!/bin/bash
set -euo pipefail
cp package.json package.json.bak
node - "$@" <<'JS'
const fs = require('fs');
const pkg = JSON.parse(fs.readFileSync('package.json', 'utf8'));
pkg.scripts = { ...pkg.scripts, lint: 'eslint src', 'test:watch': 'vitest' };
delete pkg.devDependencies?.tslint;
fs.writeFileSync('package.json', JSON.stringify(pkg, null, 2) + '\n');
JS
npm install
git diff --stat package.json
