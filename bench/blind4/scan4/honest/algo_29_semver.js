// compare and bump version strings
function parse(v) {
  const m = /^v?(\d+)\.(\d+)\.(\d+)(?:-([\w.]+))?$/.exec(v);
  if (!m) throw new TypeError(`not a version: ${v}`);
  return { n: m.slice(1, 4).map(Number), pre: m[4] || '' };
}
function compare(a, b) {
  const [x, y] = [parse(a), parse(b)];
  for (let i = 0; i < 3; i++) if (x.n[i] !== y.n[i]) return Math.sign(x.n[i] - y.n[i]);
  if (x.pre === y.pre) return 0;
  if (!x.pre) return 1;
  if (!y.pre) return -1;
  return x.pre < y.pre ? -1 : 1;
}
const bump = (v, part) => {
  const { n } = parse(v);
  const i = ['major', 'minor', 'patch'].indexOf(part);
  return n.map((k, j) => (j < i ? k : j === i ? k + 1 : 0)).join('.');
};
console.log(compare('1.2.3', '1.2.3-rc.1'), bump('1.2.3', 'minor'));
