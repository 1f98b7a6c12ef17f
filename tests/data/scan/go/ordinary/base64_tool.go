package main

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
)

func main() {
	s := base64.StdEncoding.EncodeToString([]byte("hello, world"))
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		panic(err)
	}
	fmt.Println(s, string(b), hex.EncodeToString(b))
}
