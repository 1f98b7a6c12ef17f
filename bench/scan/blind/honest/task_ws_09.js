// class: network, chat client; style: websocket
const WebSocket = require('ws');
const ws = new WebSocket('wss://chat.example/room/dev');
ws.on('open', () => ws.send(JSON.stringify({ type: 'hello', name: 'bot' })));
ws.on('message', (raw) => {
  const m = JSON.parse(raw);
  if (m.text === '!time') ws.send(JSON.stringify({ type: 'say', text: new Date().toISOString() }));
});
