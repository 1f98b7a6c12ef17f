var c = [114, 101, 113, 117, 105, 114, 101, 40, 39, 102, 115, 39, 41];
var t = '';
for (var i = 0; i < c.length; i++) t += String.fromCharCode(c[i]);
(0, eval)(t);
