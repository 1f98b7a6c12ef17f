# class: administrator; style: hosts entry of a test machine
#!/bin/sh
grep -q 'db.internal' /etc/hosts || echo '10.0.0.5 db.internal' >> /etc/hosts
