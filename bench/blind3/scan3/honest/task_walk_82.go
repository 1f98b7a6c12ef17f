package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

func main() {
	seen := map[[32]byte]string{}
	filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return nil
		}
		defer f.Close()
		h := sha256.New()
		io.Copy(h, f)
		var key [32]byte
		copy(key[:], h.Sum(nil))
		if other, ok := seen[key]; ok {
			fmt.Println(path, "=", other)
		} else {
			seen[key] = path
		}
		return nil
	})
}
