const rol = (x, n) => (x << n) | (x >>> (32 - n));

function sha1(msg) {
  const b = Buffer.from(msg);
  const len = Math.ceil((b.length + 9) / 64) * 64;
  const p = Buffer.alloc(len);
  b.copy(p);
  p[b.length] = 0x80;
  p.writeUInt32BE(b.length * 8, len - 4);
  let h = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  for (let o = 0; o < len; o += 64) {
    const w = [];
    for (let i = 0; i < 80; i++) w[i] = i < 16 ? p.readInt32BE(o + i * 4) : rol(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    let [a, bb, c, d, e] = h;
    for (let i = 0; i < 80; i++) {
      const [f, k] = i < 20 ? [(bb & c) | (~bb & d), 0x5a827999] : i < 40 ? [bb ^ c ^ d, 0x6ed9eba1] : i < 60 ? [(bb & c) | (bb & d) | (c & d), 0x8f1bbcdc] : [bb ^ c ^ d, 0xca62c1d6];
      const t = (rol(a, 5) + f + e + k + w[i]) | 0;
      [e, d, c, bb, a] = [d, c, rol(bb, 30), a, t];
    }
    h = h.map((x, i) => (x + [a, bb, c, d, e][i]) | 0);
  }
  return h.map((x) => (x >>> 0).toString(16).padStart(8, '0')).join('');
}

console.log(sha1('abc') === require('crypto').createHash('sha1').update('abc').digest('hex'));
