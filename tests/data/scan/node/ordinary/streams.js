const fs = require('fs');
const zlib = require('zlib');
const { pipeline } = require('stream');
pipeline(fs.createReadStream('big.log'), zlib.createGzip(), fs.createWriteStream('big.log.gz'), (err) => {
  if (err) console.error('failed', err); else console.log('done');
});
