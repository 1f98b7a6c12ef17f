// markdown -> html, only what our changelog needs
const esc = (s) => s.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }[c]));

const inline = (s) => esc(s)
  .replace(/`([^`]+)`/g, '<code>$1</code>')
  .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
  .replace(/\[([^\]]+)\]\((https?:[^)]+)\)/g, '<a href="$2">$1</a>');

function render(md) {
  const out = [];
  let list = false;
  for (const line of md.split('\n')) {
    const item = line.match(/^[-*] (.*)/);
    if (list && !item) { out.push('</ul>'); list = false; }
    const head = line.match(/^(#{1,6}) (.*)/);
    if (head) out.push(`<h${head[1].length}>${inline(head[2])}</h${head[1].length}>`);
    else if (item) {
      if (!list) { out.push('<ul>'); list = true; }
      out.push(`<li>${inline(item[1])}</li>`);
    } else if (line.trim()) out.push(`<p>${inline(line)}</p>`);
  }
  if (list) out.push('</ul>');
  return out.join('\n');
}

console.log(render('# 1.2.0\n- fixed `rm -rf` example in docs\n- see [site](https://docs.example/x)\n\n**bold** <b>'));
