function justify(text, width) {
  const lines = [[]];
  let len = 0;
  for (const w of text.split(/\s+/)) {
    if (len + w.length + lines.at(-1).length > width) { lines.push([]); len = 0; }
    lines.at(-1).push(w);
    len += w.length;
  }
  return lines.map((ws, i) => {
    if (i === lines.length - 1 || ws.length === 1) return ws.join(' ');
    let gaps = width - ws.join('').length;
    let out = ws[0];
    for (let k = 1; k < ws.length; k++) {
      const s = Math.ceil(gaps / (ws.length - k));
      gaps -= s;
      out += ' '.repeat(s) + ws[k];
    }
    return out;
  }).join('\n');
}
console.log(justify('The quick brown fox jumps over the lazy dog and runs away into the forest', 28));
