const hex = (s) => [1, 3, 5].map((i) => parseInt(s.substr(i, 2), 16));
const luminance = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
console.log(hex('#336699'), luminance(hex('#ffffff')));
