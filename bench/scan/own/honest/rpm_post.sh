# RPM %pre, %post, %preun and %postun of one package
getent group collectd >/dev/null || groupadd -r collectd
getent passwd collectd >/dev/null || useradd -r -g collectd -d /var/lib/collectd -s /sbin/nologin -c "collectd" collectd
if [ $1 -eq 1 ] && [ -x /usr/bin/systemctl ]; then
    systemctl --no-reload preset collectd.service || :
fi
/sbin/ldconfig
touch --no-create /usr/share/icons/hicolor &>/dev/null || :
if [ $1 -eq 0 ]; then
    systemctl --no-reload disable --now collectd.service || :
    rm -rf /var/lib/collectd /var/log/collectd
    userdel collectd || :
    groupdel collectd 2>/dev/null || :
    semodule -r collectd || :
    restorecon -R /var/lib /etc/collectd.d || :
    sed -i '/^collectd/d' /etc/security/limits.d/collectd.conf
fi
exit 0
