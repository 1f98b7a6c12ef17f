// class: game; possible: low medium; style: ticks over datagrams on the loopback
const dgram = require('dgram');
const server = dgram.createSocket('udp4'), clients = new Map();
server.on('message', (m, r) => clients.set(r.port, { x: m.readInt32LE(0), r }));
server.bind(0, '127.0.0.1', () => {
  const port = server.address().port;
  const tick = setInterval(() => { const b = Buffer.from(JSON.stringify([...clients.values()].map(c => c.x))); for (const c of clients.values()) server.send(b, c.r.port, '127.0.0.1'); }, 33);
  let got = 0;
  const bots = Array.from({ length: 4 }, (_, i) => {
    const s = dgram.createSocket('udp4');
    s.on('message', () => got++);
    const t = setInterval(() => { const b = Buffer.alloc(4); b.writeInt32LE(i * 100 + (Date.now() % 100)); s.send(b, port, '127.0.0.1'); }, 50);
    return { s, t };
  });
  setTimeout(() => { clearInterval(tick); bots.forEach(b => { clearInterval(b.t); b.s.close(); }); server.close(); console.log(got > 100); }, 20000);
});
