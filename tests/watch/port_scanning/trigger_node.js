// what: a scanner in Node, all ports at the same time
// server: ports
const net = require('net');
console.log('begun');
let left = 0;
const end = () => { if (--left === 0) setTimeout(() => console.log('done'), 1000 * (process.env.LINGER ?? 20)); };
for (const port of process.env.PORTS.split(',')) {
    left++;
    const s = net.connect(Number(port), '127.0.0.1');
    s.on('connect', () => s.destroy()).on('error', () => {}).on('close', end);
}
