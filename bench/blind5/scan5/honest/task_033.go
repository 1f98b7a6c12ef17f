package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	mods, _ := filepath.Glob("services/*/go.mod")
	for _, m := range mods {
		cmd := exec.Command("go", "test", "./...")
		cmd.Dir = filepath.Dir(m)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if err := cmd.Run(); err != nil {
			fmt.Println("FAIL", m)
			os.Exit(1)
		}
	}
}
