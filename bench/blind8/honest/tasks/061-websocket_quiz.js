const { WebSocketServer } = require('ws');

const QUESTIONS = [
  { q: 'Port of HTTPS?', a: '443' },
  { q: 'Base of hexadecimal?', a: '16' },
  { q: 'Unix user 0?', a: 'root' },
];
const wss = new WebSocketServer({ port: 8081, maxPayload: 1024 });
const score = new Map();
let cur = 0;
const all = (o) => wss.clients.forEach((c) => c.readyState === 1 && c.send(JSON.stringify(o)));

wss.on('connection', (ws) => {
  ws.name = `player${score.size + 1}`;
  score.set(ws.name, 0);
  ws.send(JSON.stringify({ question: QUESTIONS[cur].q, you: ws.name }));
  ws.on('message', (raw) => {
    let m;
    try { m = JSON.parse(raw); } catch { return; }
    if (String(m.answer).trim().toLowerCase() !== QUESTIONS[cur].a) return;
    score.set(ws.name, score.get(ws.name) + 1);
    cur = (cur + 1) % QUESTIONS.length;
    all({ winner: ws.name, score: Object.fromEntries(score), question: QUESTIONS[cur].q });
  });
  ws.on('close', () => score.delete(ws.name));
});
