function compress(s) {
  const dict = new Map();
  const out = [];
  let cur = '';
  for (const ch of s) {
    if (dict.has(cur + ch)) { cur += ch; continue; }
    out.push([dict.get(cur) ?? 0, ch]);
    dict.set(cur + ch, dict.size + 1);
    cur = '';
  }
  if (cur) out.push([dict.get(cur), '']);
  return out;
}
function decompress(pairs) {
  const d = [''];
  return pairs.map(([i, c]) => { const w = d[i] + c; d.push(w); return w; }).join('');
}
const text = 'tobeornottobeortobeornot'.repeat(3);
const c = compress(text);
console.log(c.length, decompress(c) === text);
