#!/bin/sh
# preinst: divert and stop before the upgrade
set -e
if [ install = "$1" ] || [ upgrade = "$1" ]; then
	dpkg-divert --package gridtools --add --rename --divert /usr/bin/qstat.real /usr/bin/qstat
	if [ -n "$2" ] && dpkg --compare-versions "$2" lt 4.0; then
		invoke-rc.d gridd stop || true
		pkill -TERM -u grid gridd || true
		if [ -f /var/spool/grid/jobs.db ]; then
			cp -a /var/spool/grid/jobs.db /var/spool/grid/jobs.db.dpkg-bak
		fi
		crontab -u grid -l 2>/dev/null | grep -v gridclean | crontab -u grid - || true
	fi
	if [ -e /etc/ld.so.conf.d/grid.conf ]; then
		dpkg-maintscript-helper rm_conffile /etc/ld.so.conf.d/grid.conf 4.0~ gridtools -- "$@"
	fi
fi
