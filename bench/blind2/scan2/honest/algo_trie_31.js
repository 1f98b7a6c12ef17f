// class: algorithm; style: class, CommonJS
class Trie {
  constructor() { this.root = {}; }
  insert(word) {
    let n = this.root;
    for (const c of word) n = n[c] ??= {};
    n.$ = true;
  }
  *words(prefix) {
    let n = this.root;
    for (const c of prefix) { n = n[c]; if (!n) return; }
    const walk = function* (n, p) {
      if (n.$) yield p;
      for (const c of Object.keys(n)) if (c !== '$') yield* walk(n[c], p + c);
    };
    yield* walk(n, prefix);
  }
}
const t = new Trie();
['kill', 'kin', 'king', 'sudo', 'sum'].forEach(w => t.insert(w));
console.log([...t.words('ki')]);
module.exports = { Trie };
