const http = require('http'), fs = require('fs'), path = require('path');
http.createServer((req, res) => {
  const file = path.join('public', path.normalize(decodeURIComponent(new URL(req.url, 'http://x').pathname)));
  fs.createReadStream(file).on('error', () => { res.statusCode = 404; res.end('no'); }).pipe(res);
}).listen(8080, '127.0.0.1', () => console.log('http://127.0.0.1:8080'));
