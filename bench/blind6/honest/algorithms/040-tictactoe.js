const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const winner = (b) => LINES.map(([x, y, z]) => b[x] !== ' ' && b[x] === b[y] && b[y] === b[z] ? b[x] : null).find(Boolean);
function minimax(b, p) {
  const w = winner(b);
  if (w) return { s: w === 'X' ? 1 : -1 };
  if (!b.includes(' ')) return { s: 0 };
  let best = null;
  for (let i = 0; i < 9; i++) {
    if (b[i] !== ' ') continue;
    b[i] = p;
    const { s } = minimax(b, p === 'X' ? 'O' : 'X');
    b[i] = ' ';
    if (!best || (p === 'X' ? s > best.s : s < best.s)) best = { s, i };
  }
  return best;
}
const board = Array(9).fill(' ');
for (let p = 'X'; !winner(board) && board.includes(' '); p = p === 'X' ? 'O' : 'X') board[minimax(board, p).i] = p;
console.log(board.join('').match(/.{3}/g).join('\n'));
