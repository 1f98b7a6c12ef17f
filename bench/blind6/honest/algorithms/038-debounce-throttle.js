const debounce = (fn, ms) => {
  let t;
  return (...a) => { clearTimeout(t); t = setTimeout(() => fn(...a), ms); };
};
const throttle = (fn, ms) => {
  let last = -Infinity;
  return (...a) => { const n = performance.now(); if (n - last >= ms) { last = n; fn(...a); } };
};
let d = 0, th = 0;
const f = debounce(() => d++, 20);
const g = throttle(() => th++, 20);
const iv = setInterval(() => { f(); g(); }, 5);
setTimeout(() => { clearInterval(iv); setTimeout(() => console.log({ d, th }), 50); }, 200);
