// class: memory without end
const keep = [];
function more() { keep.push(Buffer.alloc(64 * 1024 * 1024, 1)); setImmediate(more); }
more();
