const http = require('http');
const fs = require('fs');
const { WebSocketServer } = require('ws');

// chat with rooms, for my networking course
const server = http.createServer((req, res) => {
  res.setHeader('content-type', 'text/html');
  fs.createReadStream('index.html').pipe(res);
});
const wss = new WebSocketServer({ server, maxPayload: 4096 });
const rooms = new Map();

function send(room, obj) {
  const text = JSON.stringify(obj);
  for (const c of rooms.get(room) || []) if (c.readyState === 1) c.send(text);
}

wss.on('connection', (ws, req) => {
  const url = new URL(req.url, 'http://x');
  const room = url.searchParams.get('room') || 'lobby';
  const name = (url.searchParams.get('name') || 'anonymous').slice(0, 20);
  if (!rooms.has(room)) rooms.set(room, new Set());
  rooms.get(room).add(ws);
  send(room, { sys: `${name} joined` });
  ws.on('message', (m) => send(room, { name, text: m.toString() }));
  ws.on('close', () => {
    rooms.get(room).delete(ws);
    send(room, { sys: `${name} left` });
  });
});
server.listen(8080, () => console.log('open http://localhost:8080'));
