class Quad {
  constructor(x, y, w, h, cap = 4) { Object.assign(this, { x, y, w, h, cap, pts: [], kids: null }); }
  has(p) { return p.x >= this.x && p.x < this.x + this.w && p.y >= this.y && p.y < this.y + this.h; }
  add(p) {
    if (!this.has(p)) return false;
    if (!this.kids && this.pts.length < this.cap) { this.pts.push(p); return true; }
    if (!this.kids) {
      const { x, y, w, h } = this, a = w / 2, b = h / 2;
      this.kids = [[x, y], [x + a, y], [x, y + b], [x + a, y + b]].map(([i, j]) => new Quad(i, j, a, b, this.cap));
    }
    return this.kids.some((k) => k.add(p));
  }
  query(r, out = []) {
    if (r.x > this.x + this.w || r.x + r.w < this.x || r.y > this.y + this.h || r.y + r.h < this.y) return out;
    out.push(...this.pts.filter((p) => p.x >= r.x && p.x < r.x + r.w && p.y >= r.y && p.y < r.y + r.h));
    this.kids?.forEach((k) => k.query(r, out));
    return out;
  }
}

const q = new Quad(0, 0, 100, 100);
for (let i = 0; i < 500; i++) q.add({ x: Math.random() * 100, y: Math.random() * 100 });
console.log(q.query({ x: 10, y: 10, w: 20, h: 20 }).length);
