// what: XMRig's protocol in Node, which logs in at a pool and hashes between its answers
// server: xmrig
const [host, port] = process.env.SERVER.split(':'), crypto = require('crypto');
const s = require('net').connect(Number(port), host);
console.log('begun');
const say = (method, params) => s.write(JSON.stringify({ id: 1, jsonrpc: '2.0', method, params }) + '\n');
say('login', { login: '4AbC', pass: 'x', agent: 'report/1.0', algo: ['rx/0'] });
let job, nonce = 0;
const until = Date.now() + 1000 * (process.env.BUSY || 40);
const work = () => {
    for (const slice = Date.now() + 200; Date.now() < slice;)
        crypto.createHash('sha256').update(job.blob + nonce++).digest();
    say('submit', { id: 'w1', job_id: job.job_id, nonce: nonce.toString(16), result: '00' });
    if (Date.now() < until) { setImmediate(work); } else { console.log('done'); s.destroy(); }
};
s.on('data', (data) => {
    const first = !job;
    if (first) { job = JSON.parse(data).result.job; work(); }
});
