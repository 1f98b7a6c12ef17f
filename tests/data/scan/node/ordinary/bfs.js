function bfs(graph, start) {
  const seen = new Set([start]), queue = [start], order = [];
  while (queue.length) {
    const n = queue.shift();
    order.push(n);
    for (const m of graph[n] || []) if (!seen.has(m)) { seen.add(m); queue.push(m); }
  }
  return order;
}
console.log(bfs({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, 'a'));
