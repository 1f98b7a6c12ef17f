package main

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

func main() {
	h := sha256.Sum256([]byte(strings.Repeat("x", 100)))
	fmt.Printf("%x\n", h[:4])
}
