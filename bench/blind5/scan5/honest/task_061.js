const chokidar = require('chokidar'); const { exec } = require('child_process');
chokidar.watch('src/**/*.scss').on('change', f => exec(`sass ${f} ${f.replace('src', 'dist').replace('.scss', '.css')}`, (e, o, s) => console.log(s || 'built ' + f)));
