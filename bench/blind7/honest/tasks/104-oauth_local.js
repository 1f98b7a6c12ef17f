import http from 'node:http';
import crypto from 'node:crypto';
import { writeFile } from 'node:fs/promises';

const id = process.env.CLIENT_ID;
const verifier = crypto.randomBytes(32).toString('base64url');
const challenge = crypto.createHash('sha256').update(verifier).digest('base64url');
const state = crypto.randomUUID();
const redirect = 'http://127.0.0.1:8976/callback';

const srv = http.createServer(async (req, res) => {
  const u = new URL(req.url, redirect);
  if (u.pathname !== '/callback' || u.searchParams.get('state') !== state) return res.writeHead(404).end();
  const r = await fetch('https://auth.example.com/oauth/token', {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', code: u.searchParams.get('code'), redirect_uri: redirect, client_id: id, code_verifier: verifier }),
  });
  await writeFile('.session.json', JSON.stringify(await r.json()), { mode: 0o600 });
  res.end('You may close this window.');
  srv.close();
}).listen(8976, '127.0.0.1', () => {
  console.log('open', `https://auth.example.com/authorize?${new URLSearchParams({ response_type: 'code', client_id: id, redirect_uri: redirect, state, code_challenge: challenge, code_challenge_method: 'S256' })}`);
});
