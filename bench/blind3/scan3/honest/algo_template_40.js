const cache = new Map();
function compile(text) {
  if (!cache.has(text)) {
    const body = "return `" + text.replace(/[`\\]/g, "\\$&").replace(/\{\{\s*([\w.]+)\s*\}\}/g, "${it.$1}") + "`";
    cache.set(text, new Function("it", body));
  }
  return cache.get(text);
}
console.log(compile("Dear {{ name }}, you owe {{ sum.total }} EUR.")({ name: "Eve", sum: { total: 12 } }));
