const fs = require('fs');

const cache = new Map();

/** Compile `<%= expr %>` and `<% code %>` templates from the views folder. */
function compile(file) {
  if (cache.has(file)) return cache.get(file);
  const src = fs.readFileSync(file, 'utf8');
  let body = "let out='';";
  let last = 0;
  for (const m of src.matchAll(/<%(=?)([\s\S]*?)%>/g)) {
    body += `out+=${JSON.stringify(src.slice(last, m.index))};`;
    body += m[1] ? `out+=esc(${m[2].trim()});` : `${m[2]}\n`;
    last = m.index + m[0].length;
  }
  body += `out+=${JSON.stringify(src.slice(last))};return out;`;
  const fn = new Function('data', 'esc', `with(data){${body}}`);
  const esc = (s) => String(s).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  const render = (data) => fn(data, esc);
  cache.set(file, render);
  return render;
}

module.exports = { compile };

if (require.main === module) {
  const [, , view, json] = process.argv;
  process.stdout.write(compile(view)(JSON.parse(fs.readFileSync(json, 'utf8'))));
}
