const sum = (a) => a.reduce((x, y) => x + y, 0);
const mean = (a) => sum(a) / a.length;

const quantile = (a, q) => {
  const s = [...a].sort((x, y) => x - y);
  const p = (s.length - 1) * q;
  const lo = Math.floor(p);
  return s[lo] + (s[Math.ceil(p)] - s[lo]) * (p - lo);
};

const regress = (xs, ys) => {
  const mx = mean(xs);
  const my = mean(ys);
  const slope = sum(xs.map((x, i) => (x - mx) * (ys[i] - my))) / sum(xs.map((x) => (x - mx) ** 2));
  return { slope, intercept: my - slope * mx };
};

function lcg(seed) { return () => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 2147483648; }; }
const rnd = lcg(42);
const xs = Array.from({ length: 200 }, (_, i) => i / 10);
const ys = xs.map((x) => 3 * x + 7 + (rnd() - 0.5) * 4);

console.log(regress(xs, ys), [0.25, 0.5, 0.75].map((q) => quantile(ys, q).toFixed(2)));
const bins = new Array(10).fill(0);
ys.forEach((y) => { bins[Math.min(9, Math.floor(y / 7))] += 1; });
bins.forEach((n, i) => console.log(String(i * 7).padStart(3), '#'.repeat(n)));
