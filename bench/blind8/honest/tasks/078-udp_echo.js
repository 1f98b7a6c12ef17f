const dgram = require('dgram');
const { randomUUID } = require('crypto');

const PORT = 41234;
const me = { app: 'pong', id: randomUUID(), name: process.argv[2] || 'anon' };
const peers = new Map();
const s = dgram.createSocket({ type: 'udp4', reuseAddr: true });

s.on('message', (buf, from) => {
  if (buf.length > 512) return;
  let m;
  try { m = JSON.parse(buf); } catch { return; }
  if (m.app !== me.app || m.id === me.id) return;
  if (!peers.has(m.id)) console.log(`${m.name} is at ${from.address}`);
  peers.set(m.id, Date.now());
});
s.bind(PORT, () => {
  s.setBroadcast(true);
  setInterval(() => {
    s.send(JSON.stringify(me), PORT, '255.255.255.255');
    for (const [id, t] of peers) if (Date.now() - t > 15000) { peers.delete(id); console.log('a player left'); }
  }, 5000);
});
