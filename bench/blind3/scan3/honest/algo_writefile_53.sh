cat > binsearch.js <<'JS'
function search(a, x) {
  let lo = 0, hi = a.length;
  while (lo < hi) { const m = (lo + hi) >>> 1; a[m] < x ? (lo = m + 1) : (hi = m); }
  return a[lo] === x ? lo : -1;
}
const a = Array.from({ length: 100 }, (_, i) => i * 3);
console.log(search(a, 27), search(a, 28));
JS
node binsearch.js
