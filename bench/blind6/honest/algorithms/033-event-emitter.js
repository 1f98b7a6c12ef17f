class Emitter {
  #map = new Map();
  on(ev, fn) {
    if (!this.#map.has(ev)) this.#map.set(ev, new Set());
    this.#map.get(ev).add(fn);
    return () => this.off(ev, fn);
  }
  once(ev, fn) {
    const stop = this.on(ev, (...a) => { stop(); fn(...a); });
    return stop;
  }
  off(ev, fn) { this.#map.get(ev)?.delete(fn); }
  emit(ev, ...a) { for (const fn of [...(this.#map.get(ev) ?? [])]) fn(...a); }
}
const e = new Emitter();
e.once('exec', (c) => console.log('exec', c));
e.on('kill', (p) => console.log('kill', p));
e.emit('exec', 'x');
e.emit('exec', 'y');
e.emit('kill', 1);
