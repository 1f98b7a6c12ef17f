# class: flood; possible: low medium high; style: output without end
while :; do printf '%0100000d\n' 0; done
