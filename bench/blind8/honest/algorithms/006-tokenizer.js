const BP = { '+': 1, '-': 1, '*': 2, '/': 2, '^': 3 };

function* lex(src) {
  const re = /\s*(\d+(?:\.\d+)?|[-+*/^()]|[a-z]+)/gy;
  let m;
  while ((m = re.exec(src))) yield m[1];
}

class Parser {
  constructor(src, vars = {}) { this.t = [...lex(src)]; this.i = 0; this.vars = vars; }
  peek() { return this.t[this.i]; }
  next() { return this.t[this.i++]; }
  prefix() {
    const t = this.next();
    if (t === '(') { const v = this.expr(0); this.next(); return v; }
    if (t === '-') return -this.expr(3);
    if (/^\d/.test(t)) return Number(t);
    if (t in Math && this.peek() === '(') return Math[t](this.prefix());
    if (t in this.vars) return this.vars[t];
    throw new SyntaxError(`unexpected ${t}`);
  }
  expr(min) {
    let left = this.prefix();
    while (BP[this.peek()] > min || (this.peek() === '^' && BP['^'] >= min)) {
      const op = this.next();
      const right = this.expr(op === '^' ? BP[op] - 1 : BP[op]);
      left = { '+': () => left + right, '-': () => left - right, '*': () => left * right, '/': () => left / right, '^': () => left ** right }[op]();
    }
    return left;
  }
}

for (const s of ['1+2*3', '2^3^2', '-(4-x)/2', 'sqrt(16)+1']) console.log(s, '=', new Parser(s, { x: 10 }).expr(0));
