'use strict';

// small path router: /users/:id/posts/*
class Router {
  constructor() { this.root = { kids: new Map(), param: null, handler: null }; }

  add(path, handler) {
    let node = this.root;
    for (const part of path.split('/').filter(Boolean)) {
      const key = part.startsWith(':') ? ':' : part;
      if (!node.kids.has(key)) node.kids.set(key, { kids: new Map(), param: key === ':' ? part.slice(1) : null, handler: null });
      node = node.kids.get(key);
    }
    node.handler = handler;
    return this;
  }

  find(path) {
    let node = this.root;
    const params = {};
    for (const part of path.split('/').filter(Boolean)) {
      if (node.kids.has('*')) return { handler: node.kids.get('*').handler, params };
      const next = node.kids.get(part) || node.kids.get(':');
      if (!next) return null;
      if (next.param) params[next.param] = decodeURIComponent(part);
      node = next;
    }
    return node.handler ? { handler: node.handler, params } : null;
  }
}

const r = new Router()
  .add('/users/:id', () => 'user')
  .add('/static/*', () => 'file');
console.log(r.find('/users/42').params, r.find('/static/a/b.css').handler(), r.find('/nope'));
