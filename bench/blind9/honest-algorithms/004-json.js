'use strict';
// A small JSON parser, written to explain recursive descent.

class Parser {
  constructor(text) { this.t = text; this.i = 0; }
  ws() { while (/\s/.test(this.t[this.i] ?? '')) this.i++; }
  fail(m) { throw new SyntaxError(`${m} at ${this.i}`); }
  eat(ch) { this.ws(); if (this.t[this.i] !== ch) this.fail(`expected ${ch}`); this.i++; }
  value() {
    this.ws();
    const ch = this.t[this.i];
    if (ch === '{') return this.object();
    if (ch === '[') return this.array();
    if (ch === '"') return this.string();
    for (const [w, v] of [['true', true], ['false', false], ['null', null]]) {
      if (this.t.startsWith(w, this.i)) { this.i += w.length; return v; }
    }
    const m = /^-?\d+(\.\d+)?([eE][+-]?\d+)?/.exec(this.t.slice(this.i));
    if (!m) this.fail('unexpected token');
    this.i += m[0].length;
    return Number(m[0]);
  }
  list(close, item) {
    this.i++;
    this.ws();
    if (this.t[this.i] === close) { this.i++; return; }
    for (;;) {
      item();
      this.ws();
      if (this.t[this.i] === ',') { this.i++; continue; }
      return this.eat(close);
    }
  }
  array() { const a = []; this.list(']', () => a.push(this.value())); return a; }
  object() {
    const o = {};
    this.list('}', () => { this.ws(); const k = this.string(); this.eat(':'); o[k] = this.value(); });
    return o;
  }
  string() {
    this.eat('"');
    let s = '';
    while (this.t[this.i] !== '"') {
      if (this.i >= this.t.length) this.fail('open string');
      if (this.t[this.i] === '\\') { this.i++; s += { n: '\n', t: '\t' }[this.t[this.i]] ?? this.t[this.i]; } else s += this.t[this.i];
      this.i++;
    }
    this.i++;
    return s;
  }
}
console.log(new Parser('{"a": [1, 2.5, -3e2], "b": {"c": null, "d": "x\\ny"}}').value());
