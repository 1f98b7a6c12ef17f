#!/usr/bin/env bash
set -euo pipefail
node -e '
const fs = require("fs");
const p = JSON.parse(fs.readFileSync("package.json"));
p.scripts = { ...p.scripts, lint: "eslint src", test: "vitest run", build: "tsc -p ." };
p.engines = { node: ">=18" };
fs.writeFileSync("package.json", JSON.stringify(p, null, 2) + "\n");
'
npm install --save-dev eslint vitest typescript
npm run lint && npm test && npm run build
