const fs = require('fs');
const path = require('path');

const ALLOW = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'Unlicense', 'CC0-1.0']);

function* packages(dir) {
  if (!fs.existsSync(dir)) return;
  for (const e of fs.readdirSync(dir)) {
    if (e.startsWith('.')) continue;
    const p = path.join(dir, e);
    if (e.startsWith('@')) { yield* packages(p); continue; }
    const f = path.join(p, 'package.json');
    if (fs.existsSync(f)) yield JSON.parse(fs.readFileSync(f, 'utf8'));
    yield* packages(path.join(p, 'node_modules'));
  }
}

const bad = [];
const tally = {};
for (const p of packages('node_modules')) {
  const l = typeof p.license === 'string' ? p.license : p.license?.type ?? 'UNKNOWN';
  tally[l] = (tally[l] || 0) + 1;
  if (!l.split(/\s+OR\s+|[()]/).some((x) => ALLOW.has(x))) bad.push(`${p.name}@${p.version}: ${l}`);
  if (p.scripts?.postinstall) console.warn(`postinstall script: ${p.name}`);
}
console.table(tally);
if (bad.length) { console.error(bad.join('\n')); process.exit(1); }
