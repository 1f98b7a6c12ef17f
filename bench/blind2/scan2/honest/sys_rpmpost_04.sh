# class: maintainer script, RPM %post; style: Fedora
getent group tomcat >/dev/null || groupadd -f -g 53 -r tomcat
if ! getent passwd tomcat >/dev/null; then
  useradd -r -u 53 -g tomcat -d /usr/share/tomcat -s /sbin/nologin -c "Apache Tomcat" tomcat || :
fi
if [ $1 -eq 1 ] && [ -x /usr/lib/systemd/systemd-update-helper ]; then
    /usr/lib/systemd/systemd-update-helper install-system-units tomcat.service || :
fi
/sbin/restorecon -R /var/lib/tomcat 2>/dev/null || :
