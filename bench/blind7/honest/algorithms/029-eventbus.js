class Bus {
  constructor() { this.subs = new Map(); }
  on(pattern, fn) {
    const rx = new RegExp('^' + pattern.split('*').map((s) => s.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*') + '$');
    this.subs.set(fn, rx);
    return () => this.subs.delete(fn);
  }
  emit(name, ...args) {
    let n = 0;
    for (const [fn, rx] of this.subs) if (rx.test(name)) { fn(name, ...args); n++; }
    return n;
  }
}

const b = new Bus();
const off = b.on('user.*', (n, u) => console.log(n, u));
b.emit('user.login', 'ann');
off();
console.log(b.emit('user.logout', 'ann'));
