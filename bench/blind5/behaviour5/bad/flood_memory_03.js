// class: flood; possible: low medium high
const keep = []; for (;;) keep.push(Buffer.alloc(4 << 20, 1));
