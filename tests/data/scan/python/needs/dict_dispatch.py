import os
actions = {
    "list": os.listdir,
    "run": os.system,
}
actions["run"]("ps aux")
