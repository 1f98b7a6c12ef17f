// class: algorithm, templates compiled with new Function; style: small library
'use strict';
function compile(template) {
  const body = template.split(/\{\{(.+?)\}\}/).map((part, i) =>
    i % 2 ? `out += (${part});` : `out += ${JSON.stringify(part)};`).join('\n');
  return new Function('it', `let out = '';\n${body}\nreturn out;`);
}
const hello = compile('Hello {{it.name}}, you are {{it.age + 1}} next year.');
console.log(hello({ name: 'Ann', age: 41 }));
