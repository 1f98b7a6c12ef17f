// what: Node with all its modules of the network loaded, and an event loop that turns
// network: none
for (const m of ['http', 'https', 'net', 'tls', 'dgram', 'dns', 'cluster']) require(m);
require('http').createServer(() => {});
setTimeout(() => console.log('done'), 100);
