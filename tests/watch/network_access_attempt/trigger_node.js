// what: Node's http client
// network: none
console.log('begun');
require('http').get('http://192.0.2.1/').on('error', () => setTimeout(() => console.log('done'), 1000 * (process.env.LINGER ?? 20)));
