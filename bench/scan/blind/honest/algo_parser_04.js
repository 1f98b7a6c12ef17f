// class: algorithm, JSON parser; style: closures
function parse(text) {
  let i = 0;
  const ws = () => { while (/\s/.test(text[i])) i++; };
  function value() {
    ws();
    if (text[i] === '[') return list();
    if (text[i] === '"') return string();
    const m = /^-?\d+(\.\d+)?/.exec(text.slice(i));
    i += m[0].length;
    return Number(m[0]);
  }
  function list() {
    const out = [];
    i++;
    for (;;) {
      ws();
      if (text[i] === ']') { i++; return out; }
      out.push(value());
      ws();
      if (text[i] === ',') i++;
    }
  }
  function string() {
    const end = text.indexOf('"', i + 1);
    const s = text.slice(i + 1, end);
    i = end + 1;
    return s;
  }
  return value();
}
console.log(parse('[1, "two", [3]]'));
