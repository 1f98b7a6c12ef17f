const trie = words => words.reduce((t, w) => { let n = t; for (const c of w) n = n[c] ??= {}; n.$ = true; return t; }, {});
const has = (t, w) => [...w].reduce((n, c) => n && n[c], t)?.$ === true;
const t = trie(['root', 'rooted', 'admin']); console.log(has(t, 'root'), has(t, 'roo'));
