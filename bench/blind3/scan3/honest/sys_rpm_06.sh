# %post of the gateway package
if [ $1 -eq 1 ]; then
    getent group gwd >/dev/null || groupadd -r gwd
    getent passwd gwd >/dev/null || useradd -r -g gwd -d /var/lib/gwd -s /sbin/nologin -c "Gateway daemon" gwd
    /sbin/chkconfig --add gwd
fi
/sbin/ldconfig
if [ -x /usr/sbin/selinuxenabled ] && /usr/sbin/selinuxenabled; then
    semodule -i /usr/share/selinux/packages/gwd.pp
    restorecon -R /var/lib/gwd
    semanage port -a -t http_port_t -p tcp 8070 2>/dev/null || :
fi
if [ ! -f /etc/pki/gwd/server.key ]; then
    openssl req -x509 -newkey rsa:3072 -nodes -days 730 -subj "/CN=$(hostname -f)" \
        -keyout /etc/pki/gwd/server.key -out /etc/pki/gwd/server.crt >/dev/null 2>&1
    chmod 0640 /etc/pki/gwd/server.key
    chgrp gwd /etc/pki/gwd/server.key
fi
%systemd_post gwd.service || :
