// small event emitter with once and wildcard
class Emitter {
  #map = new Map();
  on(name, fn) {
    (this.#map.get(name) ?? this.#map.set(name, new Set()).get(name)).add(fn);
    return () => this.#map.get(name)?.delete(fn);
  }
  once(name, fn) {
    const off = this.on(name, (...a) => { off(); fn(...a); });
    return off;
  }
  emit(name, ...a) {
    for (const key of [name, '*']) this.#map.get(key)?.forEach((fn) => fn(...a));
  }
}
const e = new Emitter();
e.once('kill', (why) => console.log('killed', why));
e.on('*', () => console.log('any'));
e.emit('kill', 'test');
e.emit('kill', 'again');
