// class: concurrency; style: async pool
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

async function pool(tasks, n) {
  const results = [];
  let next = 0;
  await Promise.all(Array.from({ length: n }, async () => {
    while (next < tasks.length) {
      const i = next++;
      results[i] = await tasks[i]();
    }
  }));
  return results;
}

pool([1, 2, 3, 4].map((n) => async () => { await sleep(n); return n * n; }), 2).then(console.log);
