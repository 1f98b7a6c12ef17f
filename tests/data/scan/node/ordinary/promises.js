const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function task(n) { await sleep(n * 10); return n * n; }
Promise.all([1, 2, 3].map(task)).then((r) => console.log(r.reduce((a, b) => a + b)));
