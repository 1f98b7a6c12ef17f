const rx = /(?<num>\d+)|(?<id>[a-z_]\w*)|(?<op>[-+*\/=();])|(?<ws>\s+)/giy;

function* lex(src) {
  rx.lastIndex = 0;
  while (rx.lastIndex < src.length) {
    const m = rx.exec(src);
    if (!m) throw new SyntaxError('bad character');
    const [kind, text] = Object.entries(m.groups).find(([, v]) => v !== undefined);
    if (kind !== 'ws') yield { kind, text };
  }
}
console.table([...lex('let x = eval_1 + 42;')]);
