const { WebSocketServer } = require('ws');

const wss = new WebSocketServer({ port: 9090, maxPayload: 4096 });
const rooms = new Map();

const join = (ws, room) => {
  leave(ws);
  if (!rooms.has(room)) rooms.set(room, new Set());
  rooms.get(room).add(ws);
  ws.room = room;
};
const leave = (ws) => {
  const set = rooms.get(ws.room);
  set?.delete(ws);
  if (set?.size === 0) rooms.delete(ws.room);
};
const say = (room, from, text) => {
  for (const peer of rooms.get(room) || []) peer.send(JSON.stringify({ from, text, at: Date.now() }));
};

wss.on('connection', (ws) => {
  ws.nick = 'guest' + Math.floor(Math.random() * 1000);
  join(ws, 'lobby');
  ws.on('message', (raw) => {
    let m;
    try { m = JSON.parse(raw); } catch { return ws.send('{"error":"bad json"}'); }
    if (m.type === 'nick' && /^\w{2,16}$/.test(m.value)) ws.nick = m.value;
    else if (m.type === 'join' && /^[\w-]{1,32}$/.test(m.value)) join(ws, m.value);
    else if (m.type === 'say') say(ws.room, ws.nick, String(m.value).slice(0, 1000));
  });
  ws.on('close', () => leave(ws));
});
