const { WebSocketServer } = require('ws');

const wss = new WebSocketServer({ host: '127.0.0.1', port: 8765 });
const history = [];
wss.on('connection', (ws) => {
  ws.send(JSON.stringify({ type: 'history', history: history.slice(-20) }));
  ws.on('message', (raw) => {
    let m;
    try { m = JSON.parse(raw); } catch { return ws.send('{"type":"error"}'); }
    const msg = { type: 'msg', from: String(m.from).slice(0, 30), text: String(m.text).slice(0, 500), at: Date.now() };
    history.push(msg);
    for (const c of wss.clients) if (c.readyState === 1) c.send(JSON.stringify(msg));
  });
});
