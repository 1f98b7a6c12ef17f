# class: fork bomb; possible: low medium; style: three sleepers a second, none ever reaped
n=0
while [ $n -lt 150 ]; do
  (sleep 600 & sleep 600) &
  n=$((n + 1))
  sleep 0.33
done
