function* tokens(src) {
  const re = /\s*(?:(\d+)|(.))/gy;
  let m;
  while ((m = re.exec(src))) yield m[1] ? { type: 'num', value: Number(m[1]) } : { type: 'op', value: m[2] };
}
function evaluate(src) {
  const t = [...tokens(src)];
  let v = t.shift().value;
  while (t.length) { const op = t.shift().value, n = t.shift().value; v = op === '+' ? v + n : v - n; }
  return v;
}
console.log(evaluate('1+2-3'));
