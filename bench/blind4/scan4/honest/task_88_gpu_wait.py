# waits for a free card, then starts the training of this project
import os, subprocess, sys, time
def free():
    out = subprocess.check_output(["nvidia-smi", "--query-gpu=index,memory.used", "--format=csv,noheader,nounits"], text=True)
    return [i for i, m in (l.split(", ") for l in out.strip().splitlines()) if int(m) < 500]
while not (cards := free()):
    time.sleep(60)
os.execve(sys.executable, [sys.executable, "train.py", *sys.argv[1:]], {**os.environ, "CUDA_VISIBLE_DEVICES": cards[0]})
