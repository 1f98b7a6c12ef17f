awk 'BEGIN {
  n = 20
  for (i = 1; i <= n; i++) { f[i] = i < 3 ? 1 : f[i-1] + f[i-2]; printf "%d%s", f[i], i < n ? " " : "\n" }
  for (x = 2; x < 60; x++) { p = 1; for (d = 2; d * d <= x; d++) if (x % d == 0) p = 0; if (p) printf "%d ", x }
  print ""
}'
