# permissions of the shared folder
find shared -type d -exec chmod 2775 {} +
find shared -type f -exec chmod 664 {} +
chmod +x shared/bin/*
chgrp -R www-data shared || sudo chgrp -R www-data shared
setfacl -R -d -m g:www-data:rwX shared
chmod 600 shared/.env
find shared -perm -o+w -ls
