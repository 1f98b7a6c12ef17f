// tiny markdown to html converter
const esc = (s) => s.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
function inline(s) {
  return esc(s)
    .replace(/\*\*(.+?)\*\*/g, '<b>$1</b>')
    .replace(/`(.+?)`/g, '<code>$1</code>')
    .replace(/\[(.+?)\]\((https?:[^)]+)\)/g, '<a href="$2">$1</a>');
}
function md(src) {
  return src.split(/\n{2,}/).map((block) => {
    const h = block.match(/^(#{1,6}) (.*)/);
    if (h) return `<h${h[1].length}>${inline(h[2])}</h${h[1].length}>`;
    if (/^- /.test(block)) return '<ul>' + block.split('\n').map((l) => `<li>${inline(l.slice(2))}</li>`).join('') + '</ul>';
    return `<p>${inline(block)}</p>`;
  }).join('\n');
}
console.log(md('# Title\n\nRun `rm -rf build` first, **then** see [docs](https://example.org).\n\n- a\n- b'));
