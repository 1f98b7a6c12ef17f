const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const base = process.argv[2] || 'origin/main';
const files = execFileSync('git', ['diff', '--name-only', `${base}...HEAD`], { encoding: 'utf8' }).split('\n').filter(Boolean);
const pkgs = fs.readdirSync('packages').map((d) => ({ dir: path.join('packages', d), ...JSON.parse(fs.readFileSync(path.join('packages', d, 'package.json'))) }));

const changed = new Set(pkgs.filter((p) => files.some((f) => f.startsWith(p.dir + '/'))).map((p) => p.name));
let grew = true;
while (grew) {
  grew = false;
  for (const p of pkgs) {
    const deps = Object.keys({ ...p.dependencies, ...p.devDependencies });
    if (!changed.has(p.name) && deps.some((d) => changed.has(d))) { changed.add(p.name); grew = true; }
  }
}
console.log('affected:', [...changed].join(', ') || 'none');
let rc = 0;
for (const n of changed) rc |= spawnSync('npm', ['test', '-w', n], { stdio: 'inherit' }).status;
process.exit(rc);
