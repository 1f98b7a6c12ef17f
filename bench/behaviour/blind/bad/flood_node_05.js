// class: flood; possible: low medium high; style: memory, node
const keep = [];
setInterval(() => keep.push(Buffer.alloc(16 << 20, 1)), 50);
