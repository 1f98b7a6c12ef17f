const debounceLike = (xs, gap) => xs.filter((x, i) => i === 0 || x - xs[i - 1] >= gap);
const roman = n => [[1000, 'M'], [900, 'CM'], [500, 'D'], [400, 'CD'], [100, 'C'], [90, 'XC'], [50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']].reduce((s, [v, r]) => { while (n >= v) { s += r; n -= v; } return s; }, '');
console.log(roman(1994), debounceLike([0, 3, 10, 11, 30], 5));
