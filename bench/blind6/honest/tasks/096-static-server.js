const http = require('http');
const fs = require('fs');
const path = require('path');

const root = path.resolve(process.argv[2] || 'public');
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.png': 'image/png' };
http.createServer((req, res) => {
  const p = path.join(root, path.normalize(decodeURIComponent(new URL(req.url, 'http://x').pathname)));
  if (!p.startsWith(root)) { res.writeHead(403); return res.end(); }
  const file = fs.existsSync(p) && fs.statSync(p).isDirectory() ? path.join(p, 'index.html') : p;
  fs.createReadStream(file)
    .on('error', () => { res.writeHead(404); res.end('not found'); })
    .on('open', () => res.writeHead(200, { 'Content-Type': types[path.extname(file)] || 'application/octet-stream' }))
    .pipe(res);
}).listen(3000, '127.0.0.1', () => console.log('http://127.0.0.1:3000'));
