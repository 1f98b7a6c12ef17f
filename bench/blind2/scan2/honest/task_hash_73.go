// class: files; style: flag and filepath
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
)

func main() {
	root := flag.String("root", ".", "directory")
	flag.Parse()
	err := filepath.WalkDir(*root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(p)
		if err != nil {
			return err
		}
		defer f.Close()
		h := sha256.New()
		if _, err := io.Copy(h, f); err != nil {
			return err
		}
		fmt.Printf("%x  %s\n", h.Sum(nil), p)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
}
