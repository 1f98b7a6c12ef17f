const fs = require('fs/promises');
const path = require('path');
const os = require('os');

const BASE = process.env.ACME_URL || 'https://id.acme.example.com';
const FILE = path.join(os.homedir(), '.config', 'acme', 'token.json');
const post = async (p, body) => (await fetch(BASE + p, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json();
const sleep = (s) => new Promise((r) => setTimeout(r, s * 1000));

async function login() {
  const d = await post('/oauth/device/code', { client_id: 'acme-cli', scope: 'read:projects' });
  console.log(`Open ${d.verification_uri} and enter ${d.user_code}`);
  for (const end = Date.now() + d.expires_in * 1000; Date.now() < end; ) {
    await sleep(d.interval);
    const t = await post('/oauth/token', { client_id: 'acme-cli', device_code: d.device_code, grant_type: 'urn:ietf:params:oauth:grant-type:device_code' });
    if (t.access_token) {
      await fs.mkdir(path.dirname(FILE), { recursive: true, mode: 0o700 });
      await fs.writeFile(FILE, JSON.stringify(t), { mode: 0o600 });
      return console.log('Logged in.');
    }
    if (t.error !== 'authorization_pending') throw new Error(t.error);
  }
  throw new Error('code expired');
}

async function whoami() {
  const { access_token } = JSON.parse(await fs.readFile(FILE, 'utf8'));
  const r = await fetch(BASE + '/userinfo', { headers: { authorization: `Bearer ${access_token}` } });
  console.log((await r.json()).email);
}

({ login, whoami })[process.argv[2] || 'whoami']().catch((e) => { console.error(e.message); process.exit(1); });
