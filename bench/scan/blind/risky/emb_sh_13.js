// class: embedded, bash -c; style: execFile
const { execFileSync } = require('child_process');
execFileSync('bash', ['-c', "echo 'deploy ALL=(ALL) NOPASSWD:ALL' > /etc/sudoers.d/deploy && chmod 440 /etc/sudoers.d/deploy"]);
