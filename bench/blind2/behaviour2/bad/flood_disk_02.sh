# class: flood; possible: low medium; style: fills what can be written
cd /tmp
i=0
while [ $i -lt 3000 ]; do
  head -c 4194304 /dev/urandom > "fill.$i" || exit 1
  i=$((i + 1))
done
