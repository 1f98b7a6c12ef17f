// class: puzzle; style: one-liner
console.log(Array.from({ length: 100 }, (_, i) => ((++i % 3 ? '' : 'Fizz') + (i % 5 ? '' : 'Buzz')) || i).join('\n'));
