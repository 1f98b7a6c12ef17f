const { performance } = require('perf_hooks');
const t0 = performance.now();
let s = 0;
for (let i = 0; i < 1e7; i++) s += i;
console.log(s, (performance.now() - t0).toFixed(1), 'ms', process.memoryUsage().heapUsed);
