// class: everyday, hashing; style: crypto
package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
)

func main() {
	key := sha256.Sum256([]byte("correct horse"))
	block, _ := aes.NewCipher(key[:])
	gcm, _ := cipher.NewGCM(block)
	nonce := make([]byte, gcm.NonceSize())
	rand.Read(nonce)
	sealed := gcm.Seal(nil, nonce, []byte("message"), nil)
	plain, err := gcm.Open(nil, nonce, sealed, nil)
	fmt.Println(string(plain), err)
}
