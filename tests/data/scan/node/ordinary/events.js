const EventEmitter = require('events');
class Queue extends EventEmitter {
  constructor() { super(); this.items = []; }
  push(x) { this.items.push(x); this.emit('push', x); }
  exec(fn) { return fn(this.items); }
}
const q = new Queue();
q.on('push', (x) => console.log('got', x));
q.push(1);
q.exec((i) => i.length);
