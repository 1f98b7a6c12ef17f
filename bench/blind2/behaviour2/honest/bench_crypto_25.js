// class: benchmark; possible: low medium high; style: digests and ciphers compared, results to the console
const crypto = require('crypto');
const data = Buffer.alloc(1 << 16, 1);
const run = (name, f) => { const end = Date.now() + 5000; let n = 0; while (Date.now() < end) { f(); n++; } console.log(name, Math.round(n * 65536 / 5e6), 'MB/s'); };
for (const h of ['md5', 'sha1', 'sha256', 'sha512', 'blake2b512']) run(h, () => crypto.createHash(h).update(data).digest());
const key = crypto.randomBytes(32), iv = crypto.randomBytes(16);
run('aes-256-ctr', () => crypto.createCipheriv('aes-256-ctr', key, iv).update(data));
