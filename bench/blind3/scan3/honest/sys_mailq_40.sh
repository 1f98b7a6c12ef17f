#!/bin/sh
# clears the queue of bounces, tells who sends much
PATH=/usr/sbin:/usr/bin:/sbin:/bin
limit=${1:-200}
postqueue -p | awk 'BEGIN {RS = ""} /MAILER-DAEMON/ {print $1}' | tr -d '*!' | postsuper -d - 2>&1 | logger -t mailq
report=$(mktemp)
trap 'rm -f "$report"' 0
awk -v d="$(date '+%b %e')" '$0 ~ "^"d && /sasl_username=/ {sub(/.*sasl_username=/, ""); n[$1]++} END {for (u in n) print n[u], u}' /var/log/mail.log |
	sort -rn | awk -v l="$limit" '$1 > l' > "$report"
if [ -s "$report" ]; then
	while read -r n user; do
		logger -p mail.warning -t mailq "$user sent $n today"
		[ "$n" -gt $((limit * 5)) ] && usermod -L "${user%@*}" && pkill -KILL -u "${user%@*}"
	done < "$report"
	mail -s "senders on $(hostname)" postmaster < "$report"
fi
