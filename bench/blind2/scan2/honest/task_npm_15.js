// class: package install by Node; style: setup script
const { execSync, spawnSync } = require('child_process');
const fs = require('fs');

const want = { typescript: '^5.4.0', vitest: '^1.5.0' };
const pkg = JSON.parse(fs.readFileSync('package.json', 'utf8'));
const missing = Object.entries(want).filter(([n]) => !(pkg.devDependencies || {})[n]);
if (missing.length) execSync('npm install -D ' + missing.map(([n, v]) => `${n}@"${v}"`).join(' '), { stdio: 'inherit' });
const r = spawnSync('npx', ['tsc', '--noEmit'], { stdio: 'inherit' });
process.exit(r.status ?? 1);
