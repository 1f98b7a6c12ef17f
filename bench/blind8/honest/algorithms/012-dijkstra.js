class Heap {
  #a = [];
  push(k, v) {
    this.#a.push([k, v]);
    for (let i = this.#a.length - 1; i > 0;) {
      const p = (i - 1) >> 1;
      if (this.#a[p][0] <= this.#a[i][0]) break;
      [this.#a[p], this.#a[i]] = [this.#a[i], this.#a[p]];
      i = p;
    }
  }
  pop() {
    const a = this.#a;
    const top = a[0];
    const last = a.pop();
    if (a.length) {
      a[0] = last;
      for (let i = 0; ;) {
        let m = i;
        for (const c of [2 * i + 1, 2 * i + 2]) if (c < a.length && a[c][0] < a[m][0]) m = c;
        if (m === i) break;
        [a[m], a[i]] = [a[i], a[m]];
        i = m;
      }
    }
    return top;
  }
  get size() { return this.#a.length; }
}

function paths(graph, from) {
  const dist = { [from]: 0 };
  const h = new Heap();
  h.push(0, from);
  while (h.size) {
    const [d, u] = h.pop();
    if (d > dist[u]) continue;
    for (const [v, w] of Object.entries(graph[u] ?? {})) {
      if (d + w < (dist[v] ?? Infinity)) { dist[v] = d + w; h.push(dist[v], v); }
    }
  }
  return dist;
}

console.log(paths({ bern: { basel: 100, zurich: 125 }, basel: { zurich: 85 }, zurich: { chur: 120 } }, 'bern'));
