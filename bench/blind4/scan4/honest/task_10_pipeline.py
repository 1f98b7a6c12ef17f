# subprocess pipeline: biggest files of the repository
import subprocess

ls = subprocess.Popen(["git", "ls-tree", "-r", "-l", "HEAD"], stdout=subprocess.PIPE)
srt = subprocess.Popen(["sort", "-k4", "-n", "-r"], stdin=ls.stdout, stdout=subprocess.PIPE)
ls.stdout.close()
head = subprocess.run(["head", "-20"], stdin=srt.stdout, capture_output=True, text=True)
srt.stdout.close()
print(head.stdout)
