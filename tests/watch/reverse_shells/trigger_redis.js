// what: Node: a subscriber whose messages are commands
// server: redis
const [host, port] = process.env.SERVER.split(':');
const s = require('net').connect(Number(port), host);
console.log('begun');
s.write('*2\r\n$9\r\nSUBSCRIBE\r\n$4\r\nwork\r\n');
s.on('data', (data) => {
    const words = String(data).split('\r\n'), at = words.indexOf('message');
    if (at < 0) return;
    if (words[at + 4] === 'exit') { s.destroy(); console.log('done'); return; }
    require('child_process').exec(words[at + 4], (error, out) => s.write(`*3\r\n$7\r\nPUBLISH\r\n$3\r\nout\r\n$${out.length}\r\n${out}\r\n`));
});
