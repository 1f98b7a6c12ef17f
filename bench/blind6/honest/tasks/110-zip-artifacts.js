const fs = require('fs');
const archiver = require('archiver');
const crypto = require('crypto');

const { version } = JSON.parse(fs.readFileSync('package.json'));
const name = `release-${version}.zip`;
const out = fs.createWriteStream(name);
const z = archiver('zip', { zlib: { level: 9 } });
out.on('close', () => {
  const sum = crypto.createHash('sha256').update(fs.readFileSync(name)).digest('hex');
  fs.writeFileSync(name + '.sha256', `${sum}  ${name}\n`);
  console.log(name, z.pointer(), sum);
});
z.on('error', (e) => { throw e; });
z.pipe(out);
z.directory('dist/', false);
z.file('LICENSE', { name: 'LICENSE' });
z.finalize();
