// class: everyday; style: EventEmitter
const { EventEmitter } = require('events');

class Store extends EventEmitter {
  #state = {};
  set(key, value) {
    this.#state[key] = value;
    this.emit('change', key, value);
  }
}

const store = new Store();
store.on('change', (k, v) => console.log(k, v));
store.set('root', '/home');
