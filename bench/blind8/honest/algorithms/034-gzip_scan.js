function compress(buf, win = 4096, look = 18) {
  const out = [];
  for (let i = 0; i < buf.length;) {
    let [len, dist] = [0, 0];
    for (let j = Math.max(0, i - win); j < i; j += 1) {
      let k = 0;
      while (k < look && i + k < buf.length && buf[j + k] === buf[i + k]) k += 1;
      if (k > len) [len, dist] = [k, i - j];
    }
    if (len > 3) { out.push([dist, len]); i += len; } else { out.push(buf[i]); i += 1; }
  }
  return out;
}

function expand(tokens) {
  const out = [];
  for (const t of tokens) {
    if (typeof t === 'number') out.push(t);
    else for (let k = 0; k < t[1]; k += 1) out.push(out[out.length - t[0]]);
  }
  return Buffer.from(out);
}

const src = Buffer.from('how much wood would a woodchuck chuck if a woodchuck could chuck wood '.repeat(3));
const t = compress(src);
console.log(src.length, t.length, expand(t).equals(src));
