const fs = require('fs');
const path = require('path');

const ALLOWED = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'CC0-1.0', 'Unlicense']);

function* packages(dir) {
  for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
    if (!e.isDirectory() || e.name === '.bin') continue;
    const p = path.join(dir, e.name);
    if (e.name.startsWith('@')) { yield* packages(p); continue; }
    const pj = path.join(p, 'package.json');
    if (fs.existsSync(pj)) yield JSON.parse(fs.readFileSync(pj, 'utf8'));
    const nested = path.join(p, 'node_modules');
    if (fs.existsSync(nested)) yield* packages(nested);
  }
}

const byLicense = {};
for (const pkg of packages('node_modules')) {
  const lic = typeof pkg.license === 'string' ? pkg.license : pkg.license?.type ?? 'UNKNOWN';
  (byLicense[lic] ??= []).push(`${pkg.name}@${pkg.version}`);
}
console.table(Object.entries(byLicense).map(([l, p]) => ({ license: l, count: p.length, ok: ALLOWED.has(l) })));
process.exitCode = Object.keys(byLicense).every((l) => ALLOWED.has(l)) ? 0 : 1;
