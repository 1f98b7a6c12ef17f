function* range(a, b, step = 1) { for (let i = a; i < b; i += step) yield i; }
const evens = [...range(0, 20, 2)];
console.log(evens.map((x) => x ** 2).filter((x) => x % 3));
