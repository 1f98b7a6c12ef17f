// class: puzzle, tic tac toe; style: minimax
const lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const won = (b, p) => lines.some((l) => l.every((i) => b[i] === p));
function best(b, p) {
  if (won(b, 'x')) return [1];
  if (won(b, 'o')) return [-1];
  if (b.every(Boolean)) return [0];
  let top = null;
  b.forEach((v, i) => {
    if (v) return;
    const [s] = best(b.map((w, j) => (j === i ? p : w)), p === 'x' ? 'o' : 'x');
    if (!top || (p === 'x' ? s > top[0] : s < top[0])) top = [s, i];
  });
  return top;
}
console.log(best(['x', 'o', 'x', null, 'o', null, null, null, null], 'x'));
