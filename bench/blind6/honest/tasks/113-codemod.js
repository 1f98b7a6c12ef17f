const fs = require('fs');
const path = require('path');

const dry = process.argv.includes('--dry');
let changed = 0;
(function walk(d) {
  for (const e of fs.readdirSync(d, { withFileTypes: true })) {
    const p = path.join(d, e.name);
    if (e.isDirectory()) { if (e.name !== 'node_modules') walk(p); continue; }
    if (!/\.[jt]sx?$/.test(e.name)) continue;
    const src = fs.readFileSync(p, 'utf8');
    const out = src.replace(/(from\s+|require\()(['"])old-utils(\/[^'"]*)?\2/g, (_, k, q, s = '') => `${k}${q}@team/utils${s}${q}`);
    if (out !== src) { changed++; console.log(p); if (!dry) fs.writeFileSync(p, out); }
  }
})('src');
console.log(changed, 'files');
