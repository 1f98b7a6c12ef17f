# class: notebook; possible: low medium; style: exported cells with shell lines through a helper
# In[1]:
import os
import shlex
import subprocess


def get_ipython_system(line):
    done = subprocess.run(line, shell=True, capture_output=True, text=True)
    print(done.stdout + done.stderr, end="")
    return done.returncode


# In[2]:
get_ipython_system("python3 --version")
get_ipython_system("nproc; free -m | head -2")

# In[3]:
os.makedirs("raw", exist_ok=True)
for i in range(20):
    with open("raw/part-%02d.txt" % i, "w") as f:
        f.writelines("%d\t%d\n" % (n, n * n % 97) for n in range(i * 50, i * 50 + 50))
get_ipython_system("cat raw/*.txt | sort -k2,2n | tail -n 3")

# In[4]:
get_ipython_system("awk '{s[$2 % 10] += 1} END {for (k in s) print k, s[k]}' raw/*.txt | sort -n")

# In[5]:
get_ipython_system("tar czf raw.tgz raw && ls -l " + shlex.quote("raw.tgz"))
