#!/bin/bash
ausearch -m avc -ts recent | audit2allow -M local-app
semodule -i local-app.pp
setsebool -P httpd_can_network_connect_db on
semanage fcontext -a -t httpd_sys_content_t '/srv/www(/.*)?'
restorecon -Rv /srv/www
semanage port -a -t http_port_t -p tcp 8081
