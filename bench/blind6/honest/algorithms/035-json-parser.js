function parse(s) {
  let i = 0;
  const ws = () => { while (/\s/.test(s[i] ?? '')) i++; };
  const need = (c) => { if (s[i] !== c) throw new SyntaxError(`expected ${c} at ${i}`); i++; };
  function value() {
    ws();
    const c = s[i];
    if (c === '{') {
      const o = {}; i++; ws();
      if (s[i] === '}') { i++; return o; }
      for (;;) {
        ws(); const k = str(); ws(); need(':'); o[k] = value(); ws();
        if (s[i] === ',') { i++; continue; }
        need('}'); return o;
      }
    }
    if (c === '[') {
      const a = []; i++; ws();
      if (s[i] === ']') { i++; return a; }
      for (;;) { a.push(value()); ws(); if (s[i] === ',') { i++; continue; } need(']'); return a; }
    }
    if (c === '"') return str();
    const m = /^(true|false|null|-?\d+(\.\d+)?([eE][+-]?\d+)?)/.exec(s.slice(i));
    if (!m) throw new SyntaxError('bad token at ' + i);
    i += m[0].length;
    return { true: true, false: false, null: null }[m[0]] ?? (m[0] === 'null' ? null : Number(m[0]));
  }
  function str() {
    need('"'); let o = '';
    while (s[i] !== '"') { if (s[i] === '\\') i++; o += s[i++]; }
    i++; return o;
  }
  return value();
}
console.log(parse('{"a": [1, 2.5, "x"], "b": {"c": 7}}'));
