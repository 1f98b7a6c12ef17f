// mini template engine: {{expr}} and {% js %}
function compile(src) {
  let code = 'let o="";\n';
  let last = 0;
  for (const m of src.matchAll(/\{\{(.+?)\}\}|\{%(.+?)%\}/gs)) {
    code += `o+=${JSON.stringify(src.slice(last, m.index))};\n`;
    code += m[1] ? `o+=esc(${m[1]});\n` : `${m[2]}\n`;
    last = m.index + m[0].length;
  }
  code += `o+=${JSON.stringify(src.slice(last))};return o;`;
  const esc = (s) => String(s).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }[c]));
  const fn = new Function('d', 'esc', code);
  return (d) => fn(d, esc);
}

const t = compile('<ul>{% for (const i of d.items) { %}<li>{{i.name}} ({{i.qty}})</li>{% } %}</ul>');
console.log(t({ items: [{ name: 'Tea & milk', qty: 2 }, { name: '<b>', qty: 1 }] }));
