package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	repos, _ := filepath.Glob(filepath.Join(root, "*", ".git"))
	for _, r := range repos {
		d := filepath.Dir(r)
		out, err := exec.Command("git", "-C", d, "status", "--porcelain", "-b").Output()
		if err != nil {
			fmt.Fprintln(os.Stderr, d, err)
			continue
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		fmt.Printf("%-20s %s, %d changes\n", filepath.Base(d), lines[0], len(lines)-1)
	}
}
