// class: everyday; style: Buffer
const text = 'user:password';
const b = Buffer.from(text).toString('base64');
console.log(b, Buffer.from(b, 'base64').toString() === text);
