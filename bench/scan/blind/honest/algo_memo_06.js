// class: algorithm; style: Map
const memo = (f) => { const m = new Map(); return (n) => m.has(n) ? m.get(n) : (m.set(n, f(n)), m.get(n)); };
const fib = memo((n) => (n < 2 ? BigInt(n) : fib(n - 1) + fib(n - 2)));
console.log(fib(200));
