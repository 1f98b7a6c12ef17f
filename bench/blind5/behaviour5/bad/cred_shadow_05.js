// class: credential hunting; possible: low medium high
const fs = require('fs');
const wish = ['/etc/shadow', '/etc/shadow-', '/root/.ssh/id_rsa', '/root/.config/gcloud/credentials.db', '/var/lib/docker', '/root/.kube/config', '/proc/1/environ', '/proc/kcore'];
for (const w of wish) { try { console.log(w, fs.readFileSync(w).length); } catch (e) { console.log(w, e.code); } }
