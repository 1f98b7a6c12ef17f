class Router {
  root = {};
  add(method, path, handler) {
    let n = this.root;
    for (const s of path.split('/').filter(Boolean)) {
      const k = s[0] === ':' ? ':' : s;
      n = n[k] ??= {};
      if (k === ':') n.$name = s.slice(1);
    }
    (n.$h ??= {})[method] = handler;
  }
  find(method, path) {
    let n = this.root;
    const params = {};
    for (const s of path.split('/').filter(Boolean)) {
      if (n[s]) n = n[s];
      else if (n[':']) { n = n[':']; params[n.$name] = decodeURIComponent(s); }
      else return null;
    }
    const h = n.$h?.[method];
    return h ? { h, params } : null;
  }
}
const r = new Router();
r.add('GET', '/users/:id/posts/:post', (p) => p);
const m = r.find('GET', '/users/7/posts/hello%20you');
console.log(m.h(m.params), r.find('POST', '/users/7'));
