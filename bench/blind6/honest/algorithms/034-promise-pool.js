async function pool(tasks, limit) {
  const results = new Array(tasks.length);
  let next = 0;
  async function worker() {
    while (next < tasks.length) {
      const i = next++;
      try { results[i] = { ok: await tasks[i]() }; } catch (e) { results[i] = { err: e.message }; }
    }
  }
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
const sleep = (ms, v) => new Promise((r) => setTimeout(r, ms, v));
pool([1, 2, 3, 4, 5].map((n) => async () => {
  await sleep(10 * n);
  if (n === 3) throw new Error('three');
  return n * n;
}), 2).then(console.log);
