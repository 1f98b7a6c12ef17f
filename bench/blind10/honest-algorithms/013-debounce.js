// priority queue + simulated clock, to explain setTimeout to juniors
class Clock {
  #q = [];
  now = 0;

  at(delay, fn) {
    this.#q.push({ t: this.now + delay, fn, n: this.#q.length });
    this.#q.sort((a, b) => a.t - b.t || a.n - b.n);
  }

  run() {
    while (this.#q.length) {
      const e = this.#q.shift();
      this.now = e.t;
      e.fn();
    }
  }
}

const clock = new Clock();
const debounce = (fn, ms) => {
  let last = 0;
  return (...args) => {
    const mine = ++last;
    clock.at(ms, () => mine === last && fn(...args));
  };
};

const log = debounce((x) => console.log(clock.now, x), 100);
[0, 30, 60, 200, 400].forEach((t) => clock.at(t, () => log(`typed at ${t}`)));
clock.run();
