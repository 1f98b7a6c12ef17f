export const debounce = (fn, ms) => {
  let t;
  return (...a) => {
    clearTimeout(t);
    t = setTimeout(() => fn(...a), ms);
  };
};

export const throttle = (fn, ms) => {
  let last = -Infinity;
  return (...a) => {
    const now = Date.now();
    if (now - last >= ms) {
      last = now;
      return fn(...a);
    }
  };
};

export const memoize = (fn, key = (...a) => JSON.stringify(a)) => {
  const m = new Map();
  return (...a) => {
    const k = key(...a);
    if (!m.has(k)) m.set(k, fn(...a));
    return m.get(k);
  };
};

const fib = memoize((n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)));
console.log(fib(80));
