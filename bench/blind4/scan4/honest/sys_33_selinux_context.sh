#!/bin/sh
# right labels for the new document root
semanage fcontext -a -t httpd_sys_content_t '/srv/www(/.*)?'
restorecon -Rv /srv/www
setsebool -P httpd_can_network_connect_db on
getenforce
ausearch -m avc -ts recent | tail -5
