const bus = { h: {}, on(e, f) { (this.h[e] ||= []).push(f); }, emit(e, ...a) { (this.h[e] || []).forEach(f => f(...a)); } };
let n = 0; bus.on('exec', x => (n += x)); bus.emit('exec', 3); bus.emit('exec', 4); console.log(n);
