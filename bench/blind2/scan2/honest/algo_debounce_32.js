// class: algorithm; style: utilities with timers
const debounce = (fn, ms) => { let h; return (...a) => { clearTimeout(h); h = setTimeout(() => fn(...a), ms); }; };
const log = debounce(x => console.log('last', x), 20);
for (let i = 0; i < 5; i++) log(i);
const curry = f => (...a) => a.length >= f.length ? f(...a) : curry(f.bind(null, ...a));
console.log(curry((a, b, c) => a + b + c)(1)(2)(3));
