// Regular expressions for . * + ? and literals, with backtracking-free simulation.
function compile(re) {
  const items = [];
  for (let i = 0; i < re.length; i++) {
    const q = '*+?'.includes(re[i + 1] ?? ' ') ? re[i + 1] : '';
    items.push({ ch: re[i], q });
    if (q) i++;
  }
  return items;
}

function closure(items, set) {
  const out = new Set(set);
  const work = [...set];
  while (work.length) {
    const s = work.pop();
    if (s < items.length && (items[s].q === '*' || items[s].q === '?') && !out.has(s + 1)) {
      out.add(s + 1);
      work.push(s + 1);
    }
  }
  return out;
}

function matches(re, text) {
  const items = compile(re);
  let cur = closure(items, new Set([0]));
  for (const c of text) {
    const next = new Set();
    for (const s of cur) {
      const it = items[s];
      if (!it || (it.ch !== '.' && it.ch !== c)) continue;
      next.add(s + 1);
      if (it.q === '*' || it.q === '+') next.add(s);
    }
    cur = closure(items, next);
  }
  return cur.has(items.length);
}

for (const [r, t, want] of [['a*b', 'aaab', true], ['a+b', 'b', false], ['.*sh', 'bash', true], ['colou?r', 'color', true]]) {
  console.log(r, t, matches(r, t) === want ? 'ok' : 'WRONG');
}
