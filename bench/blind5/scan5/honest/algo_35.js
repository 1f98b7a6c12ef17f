const sleep = ms => new Promise(r => setTimeout(r, ms));
async function pool(tasks, n) {
  const out = []; let i = 0;
  await Promise.all(Array.from({ length: n }, async () => { while (i < tasks.length) { const k = i++; out[k] = await tasks[k](); } }));
  return out;
}
pool([1, 2, 3, 4, 5].map(x => async () => { await sleep(5); return x * 2; }), 2).then(console.log);
