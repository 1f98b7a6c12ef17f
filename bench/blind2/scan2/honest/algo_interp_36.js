// class: algorithm, recursive descent; style: dense
const T = s => s.match(/\d+(\.\d+)?|[-+*/()]/g);
function calc(s) {
  const t = T(s); let i = 0;
  const atom = () => { const x = t[i++]; if (x === '(') { const v = sum(); i++; return v } if (x === '-') return -atom(); return +x };
  const prod = () => { let v = atom(); while (t[i] === '*' || t[i] === '/') v = t[i++] === '*' ? v * atom() : v / atom(); return v };
  const sum = () => { let v = prod(); while (t[i] === '+' || t[i] === '-') v = t[i++] === '+' ? v + prod() : v - prod(); return v };
  return sum();
}
console.log(calc('2*(3+4)-10/5'), calc('-(1+2)*3'));
