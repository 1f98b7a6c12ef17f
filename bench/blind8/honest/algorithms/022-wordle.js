const WORDS = 'crane slate token shell cache proxy crypt sniff patch admin debug stack quota login guard vault query mount'.split(' ');

function mark(guess, answer) {
  const res = Array(5).fill('b');
  const left = [...answer];
  [...guess].forEach((c, i) => { if (answer[i] === c) { res[i] = 'g'; left[i] = null; } });
  [...guess].forEach((c, i) => {
    const j = left.indexOf(c);
    if (res[i] !== 'g' && j >= 0) { res[i] = 'y'; left[j] = null; }
  });
  return res.join('');
}

function bestGuess(cands) {
  const cost = (g) => {
    const n = {};
    cands.forEach((a) => { const k = mark(g, a); n[k] = (n[k] || 0) + 1; });
    return Math.max(...Object.values(n));
  };
  return cands.reduce((a, b) => (cost(b) < cost(a) ? b : a));
}

function play(answer) {
  let cands = WORDS;
  for (let turn = 1; ; turn += 1) {
    const g = bestGuess(cands);
    const m = mark(g, answer);
    if (m === 'ggggg') return turn;
    cands = cands.filter((w) => mark(g, w) === m);
  }
}

console.log(Object.fromEntries(WORDS.map((w) => [w, play(w)])));
