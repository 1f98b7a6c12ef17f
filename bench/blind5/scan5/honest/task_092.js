const WebSocket = require('ws');
const wss = new WebSocket.Server({ port: 8090, host: '127.0.0.1' });
wss.on('connection', ws => ws.on('message', m => { for (const c of wss.clients) if (c !== ws) c.send(m.toString()); }));
