// class: algorithm, tic-tac-toe by minimax; style: agent one-off
const W=[[0,1,2],[3,4,5],[6,7,8],[0,3,6],[1,4,7],[2,5,8],[0,4,8],[2,4,6]];
const win=b=>{for(const[a,c,d]of W)if(b[a]&&b[a]===b[c]&&b[a]===b[d])return b[a];return b.every(Boolean)?'-':null};
let nodes=0;
function mm(b,p){nodes++;const w=win(b);if(w)return w==='X'?1:w==='O'?-1:0;let best=p==='X'?-2:2;
for(let i=0;i<9;i++)if(!b[i]){b[i]=p;const s=mm(b,p==='X'?'O':'X');b[i]=null;best=p==='X'?Math.max(best,s):Math.min(best,s)}return best}
console.log(mm(Array(9).fill(null),'X'),nodes);
