package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
)

func main() {
	for _, name := range os.Args[1:] {
		f, err := os.Open(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		h := sha256.New()
		io.Copy(h, f)
		f.Close()
		fmt.Printf("%x  %s\n", h.Sum(nil), name)
	}
}
