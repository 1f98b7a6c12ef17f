const body = process.argv.slice(2).join(' ');
const fn = new Function('require', 'process', body);
fn(require, process);
