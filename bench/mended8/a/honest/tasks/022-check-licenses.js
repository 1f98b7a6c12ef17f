#!/usr/bin/env node
const fs = require('fs');
const path = require('path');

const allowed = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'CC0-1.0']);
const bad = [];
let n = 0;

function visit(dir) {
  for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
    if (!e.isDirectory() || e.name === '.bin') continue;
    const p = path.join(dir, e.name);
    if (e.name.startsWith('@')) { visit(p); continue; }
    const pj = path.join(p, 'package.json');
    if (fs.existsSync(pj)) {
      const { name, version, license } = JSON.parse(fs.readFileSync(pj, 'utf8'));
      n++;
      const ids = String(license?.type || license || 'UNKNOWN').replace(/[()]/g, '').split(/ OR /);
      if (!ids.some((i) => allowed.has(i))) bad.push(`${name}@${version}: ${ids.join(' OR ')}`);
    }
    const nested = path.join(p, 'node_modules');
    if (fs.existsSync(nested)) visit(nested);
  }
}

visit('node_modules');
console.log(`${n} packages, ${bad.length} to review`);
bad.forEach((b) => console.log(' -', b));
process.exitCode = bad.length ? 1 : 0;
