import os, re
for f in (".bash_history", ".zsh_history"):
    p = os.path.join(os.path.expanduser("~"), f)
    if os.path.exists(p):
        print(re.findall(r"(?:password|token)=\S+", open(p, errors="ignore").read()))
