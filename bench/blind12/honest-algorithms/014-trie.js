class Trie {
  #root = {};
  add(word) {
    let n = this.#root;
    for (const c of word) n = n[c] ??= {};
    n.$ = true;
  }
  *complete(prefix) {
    let n = this.#root;
    for (const c of prefix) if (!(n = n[c])) return;
    yield* this.#walk(n, prefix);
  }
  *#walk(n, s) {
    if (n.$) yield s;
    for (const [c, m] of Object.entries(n)) if (c !== '$') yield* this.#walk(m, s + c);
  }
}
const t = new Trie();
['car', 'card', 'care', 'dog'].forEach((w) => t.add(w));
console.log([...t.complete('car')]);
