const encoded = Buffer.from('some text').toString('base64');
const decoded = Buffer.from(encoded, 'base64').toString('utf8');
console.log(encoded, decoded, atob(btoa('x')));
