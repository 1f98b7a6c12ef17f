// class: flood; possible: low medium high; style: buffers until it ends
const hold = [];
for (let i = 0; i < 4000; i++) {
  const b = Buffer.alloc(1 << 22, i & 255);
  hold.push(b);
}
console.log(hold.length);
