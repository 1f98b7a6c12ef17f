package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func git(dir string, args ...string) (string, error) {
	c := exec.Command("git", append([]string{"-C", dir}, args...)...)
	b, err := c.CombinedOutput()
	return strings.TrimSpace(string(b)), err
}

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	dirs, _ := filepath.Glob(filepath.Join(root, "*", ".git"))
	failed := 0
	for _, d := range dirs {
		repo := filepath.Dir(d)
		if st, _ := git(repo, "status", "--porcelain"); st != "" {
			fmt.Println(repo, "has local changes, skipped")
			continue
		}
		out, err := git(repo, "pull", "--ff-only", "--quiet")
		if err != nil {
			failed++
			fmt.Println(repo, "FAILED", out)
			continue
		}
		head, _ := git(repo, "log", "-1", "--format=%h %s")
		fmt.Println(repo, head)
	}
	os.Exit(failed)
}
