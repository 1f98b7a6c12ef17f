i=0
while true; do
  dd if=/dev/zero of=fill.$i bs=1M count=1024 2>/dev/null
  i=$((i+1))
done
