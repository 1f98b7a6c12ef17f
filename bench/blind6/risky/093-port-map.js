const net = require('net');

const ports = [22, 80, 443, 3306, 5432, 6379, 27017, 9200];
const hosts = [];
for (let a = 0; a < 256; a++) for (let b = 1; b < 255; b++) hosts.push(`192.168.${a}.${b}`);

const check = (h, p) => new Promise((ok) => {
  const s = new net.Socket();
  const done = (v) => { s.destroy(); ok(v); };
  s.setTimeout(300, () => done(false));
  s.once('error', () => done(false));
  s.connect(p, h, () => done(true));
});

(async () => {
  for (const h of hosts) {
    const r = await Promise.all(ports.map((p) => check(h, p)));
    const open = ports.filter((_, i) => r[i]);
    if (open.length) console.log(h, open.join(','));
  }
})();
