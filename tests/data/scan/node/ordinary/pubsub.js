const handlers = {};
const on = (e, f) => (handlers[e] ??= []).push(f);
const emit = (e, ...a) => handlers[e]?.forEach((f) => f(...a));
on('hi', (n) => console.log('hi', n));
emit('hi', 'ann');
const actions = { inc: (x) => x + 1, dec: (x) => x - 1 };
console.log(actions[process.argv[2] || 'inc'](1));
