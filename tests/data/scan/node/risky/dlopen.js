const m = { exports: {} };
process.dlopen(m, require('path').resolve('./evil.node'));
m.exports.run();
