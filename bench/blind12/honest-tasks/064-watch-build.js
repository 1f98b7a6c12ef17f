const { watch } = require('fs');
const { spawn } = require('child_process');

let child, timer;
function build() {
  if (child) child.kill();
  child = spawn('npm', ['run', 'build'], { stdio: 'inherit' });
}
watch('src', { recursive: true }, (_, name) => {
  clearTimeout(timer);
  timer = setTimeout(() => { console.log('changed', name); build(); }, 200);
});
build();
