// class: network, chat room; style: ws tutorial
const { WebSocketServer, WebSocket } = require('ws');
const wss = new WebSocketServer({ port: 8090 });
wss.on('connection', (ws, req) => {
  ws.on('message', data => wss.clients.forEach(c => { if (c !== ws && c.readyState === WebSocket.OPEN) c.send(data.toString()); }));
  ws.send(`welcome ${req.socket.remoteAddress}`);
});
