const http = require('http');

const upstream = process.env.WEATHER_URL || 'https://api.weather.example.com';
const key = process.env.WEATHER_API_KEY;
const ttl = 5 * 60 * 1000;
const cache = new Map();

if (!key) {
  console.error('WEATHER_API_KEY is not set');
  process.exit(1);
}

http.createServer(async (req, res) => {
  const url = new URL(req.url, 'http://localhost');
  if (req.method !== 'GET' || !/^\/(forecast|current)$/.test(url.pathname)) {
    res.writeHead(404).end();
    return;
  }
  const id = url.pathname + url.search;
  const hit = cache.get(id);
  if (hit && Date.now() - hit.at < ttl) {
    res.writeHead(200, { 'content-type': 'application/json', 'x-cache': 'hit' }).end(hit.body);
    return;
  }
  try {
    const r = await fetch(upstream + id, { headers: { authorization: `Bearer ${key}` } });
    const body = await r.text();
    if (r.ok) cache.set(id, { at: Date.now(), body });
    res.writeHead(r.status, { 'content-type': 'application/json' }).end(body);
  } catch (e) {
    res.writeHead(502).end(JSON.stringify({ error: e.message }));
  }
}).listen(8088, '127.0.0.1');
