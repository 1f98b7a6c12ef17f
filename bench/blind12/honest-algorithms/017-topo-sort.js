const deps = { app: ['lib', 'ui'], ui: ['lib'], lib: [], test: ['app'] };

function order(graph) {
  const seen = new Set();
  const out = [];
  const visit = (n, path = []) => {
    if (path.includes(n)) throw new Error('cycle: ' + [...path, n].join(' -> '));
    if (seen.has(n)) return;
    graph[n].forEach((m) => visit(m, [...path, n]));
    seen.add(n);
    out.push(n);
  };
  Object.keys(graph).forEach((n) => visit(n));
  return out;
}
console.log(order(deps).join(', '));
