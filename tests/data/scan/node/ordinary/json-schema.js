const rules = { name: 'string', age: 'number' };
function validate(o) {
  return Object.keys(rules).filter((k) => typeof o[k] !== rules[k]).map((k) => `${k} must be ${rules[k]}`);
}
console.log(validate({ name: 'x', age: '3' }));
