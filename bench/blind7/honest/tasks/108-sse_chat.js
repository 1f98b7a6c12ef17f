import http from 'node:http';
import { readFileSync } from 'node:fs';

const page = readFileSync(new URL('./index.html', import.meta.url));
const key = process.env.ANTHROPIC_API_KEY;
if (!key) throw new Error('ANTHROPIC_API_KEY is not set');

http.createServer(async (req, res) => {
  if (req.method === 'GET') return res.setHeader('content-type', 'text/html').end(page);
  let body = '';
  for await (const c of req) body += c;
  const up = await fetch('https://api.anthropic.com/v1/messages', {
    method: 'POST',
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'claude-3-5-haiku-latest', max_tokens: 800, stream: true, messages: JSON.parse(body).messages }),
  });
  res.writeHead(up.status, { 'content-type': 'text/event-stream' });
  for await (const chunk of up.body) res.write(chunk);
  res.end();
}).listen(3001, '127.0.0.1');
