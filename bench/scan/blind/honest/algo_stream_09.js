// class: everyday; style: streams
const { Transform, pipeline } = require('stream');
const upper = new Transform({ transform(chunk, enc, done) { done(null, chunk.toString().toUpperCase()); } });
pipeline(process.stdin, upper, process.stdout, (err) => { if (err) process.exitCode = 1; });
