class LinkedList {
  #head = null;
  #size = 0;

  push(v) {
    const n = { v, next: null };
    if (!this.#head) this.#head = n;
    else {
      let p = this.#head;
      while (p.next) p = p.next;
      p.next = n;
    }
    this.#size++;
    return this;
  }

  reverse() {
    let prev = null, cur = this.#head;
    while (cur) [cur.next, prev, cur] = [prev, cur, cur.next];
    this.#head = prev;
    return this;
  }

  get size() { return this.#size; }

  *[Symbol.iterator]() {
    for (let n = this.#head; n; n = n.next) yield n.v;
  }
}

const l = new LinkedList().push(1).push(2).push(3);
console.log([...l.reverse()], l.size);
