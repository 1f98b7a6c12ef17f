#!/bin/sh
echo '/srv/nfs 10.0.0.0/24(rw,sync,no_subtree_check)' >> /etc/exports
exportfs -ra
chmod 1777 /srv/nfs/scratch
chmod -R g+rwX /srv/nfs/projects; chgrp -R staff /srv/nfs/projects
find /srv/nfs/projects -type d -exec chmod g+s {} +
chattr +C /srv/nfs/images
setfacl -R -m g:staff:rwX /srv/nfs/projects
