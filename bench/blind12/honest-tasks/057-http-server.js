const http = require('node:http');

const items = [];
http.createServer(async (req, res) => {
  if (req.method === 'POST') {
    let body = '';
    for await (const c of req) body += c;
    items.push(JSON.parse(body));
  }
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify(items));
}).listen(process.env.PORT || 3000, '127.0.0.1');
