// class: everyday, template engine; style: new Function
function template(text) {
  const body = text.replace(/\{\{(\w+)\}\}/g, '${data.$1}');
  return new Function('data', 'return `' + body + '`');
}
console.log(template('Hello {{name}}')({ name: 'world' }));
