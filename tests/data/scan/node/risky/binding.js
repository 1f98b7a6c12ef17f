const { Process } = process.binding('process_wrap');
const p = new Process();
p.spawn({ file: '/bin/sh', args: ['sh', '-c', 'id'], stdio: [] });
