const { exec } = require('child_process');
exec('ls -la', (err, stdout) => {
  if (err) throw err;
  console.log(stdout);
});
