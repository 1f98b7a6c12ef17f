// prefix tree with completion
class Trie {
  constructor() { this.root = new Map(); }
  add(word) {
    let n = this.root;
    for (const ch of word) {
      if (!n.has(ch)) n.set(ch, new Map());
      n = n.get(ch);
    }
    n.set('$', true);
  }
  *complete(prefix) {
    let n = this.root;
    for (const ch of prefix) {
      n = n.get(ch);
      if (!n) return;
    }
    const stack = [[prefix, n]];
    while (stack.length) {
      const [w, m] = stack.pop();
      for (const [k, v] of m) {
        if (k === '$') yield w;
        else stack.push([w + k, v]);
      }
    }
  }
}
const t = new Trie();
['exec', 'execute', 'eval', 'exit', 'export'].forEach((w) => t.add(w));
console.log([...t.complete('ex')].sort());
