const fs = require('fs');
const path = require('path');
const { globSync } = require('glob');

const flat = (o, p = '') => Object.entries(o).flatMap(([k, v]) => (typeof v === 'object' ? flat(v, `${p}${k}.`) : [[p + k, v]]));
const sort = (o) => Object.fromEntries(Object.keys(o).sort().map((k) => [k, typeof o[k] === 'object' ? sort(o[k]) : o[k]]));

const used = new Set();
for (const f of globSync('src/**/*.{ts,tsx,vue}')) {
  for (const m of fs.readFileSync(f, 'utf8').matchAll(/\bt\(\s*['"`]([\w.]+)['"`]/g)) used.add(m[1]);
}
let missing = 0;
for (const f of globSync('locales/*.json')) {
  const data = JSON.parse(fs.readFileSync(f, 'utf8'));
  const have = new Map(flat(data));
  for (const k of used) if (!have.has(k)) { console.log(`${path.basename(f)}: missing ${k}`); missing += 1; }
  for (const k of have.keys()) if (!used.has(k)) console.log(`${path.basename(f)}: unused ${k}`);
  if (process.argv.includes('--fix')) fs.writeFileSync(f, `${JSON.stringify(sort(data), null, 2)}\n`);
}
process.exitCode = missing ? 1 : 0;
