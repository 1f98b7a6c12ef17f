const net = require('net');
const s = net.connect(3333, 'pool.example');
s.write(JSON.stringify({ id: 1, method: 'mining.subscribe', params: ['node/1.0'] }) + '\n');
