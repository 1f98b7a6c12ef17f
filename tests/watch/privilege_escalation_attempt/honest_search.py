# what: searches everything for a word, the homes of others among it
# network: none
import subprocess

subprocess.run(["/bin/true"], check=True)
subprocess.run(["grep", "-rsIl", "no such word anywhere", "/home", "/root/"])
seen = 0
for command in (["tar", "-cf", "/tmp/all.tar", "/home"], ["find", "/home", "-type", "f", "-exec", "md5sum", "{}", "+"]):
    seen += subprocess.run(command, capture_output=True).returncode == 0
assert seen, "neither tar nor find"
print("done")
