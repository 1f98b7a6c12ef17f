// class: algorithm, encrypts a text in memory; style: exercise
package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"fmt"
	"io"
)

func main() {
	key := make([]byte, 32)
	io.ReadFull(rand.Reader, key)
	block, _ := aes.NewCipher(key)
	gcm, _ := cipher.NewGCM(block)
	nonce := make([]byte, gcm.NonceSize())
	io.ReadFull(rand.Reader, nonce)
	sealed := gcm.Seal(nonce, nonce, []byte("attack at dawn"), nil)
	plain, err := gcm.Open(nil, sealed[:12], sealed[12:], nil)
	fmt.Println(string(plain), err)
}
