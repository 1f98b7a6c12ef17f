# class: files, image as data URL; style: short
import base64, mimetypes, sys

p = sys.argv[1] if len(sys.argv) > 1 else "logo.png"
data = base64.b64encode(open(p, "rb").read()).decode()
open("logo.html", "w").write(f'<img src="data:{mimetypes.guess_type(p)[0]};base64,{data}">')
