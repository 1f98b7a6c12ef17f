awk '{ for (i = 1; i <= NF; i++) m[NR, i] = $i; if (NF > c) c = NF } END { for (i = 1; i <= c; i++) { for (j = 1; j <= NR; j++) printf "%s ", m[j, i]; print "" } }' matrix.txt
