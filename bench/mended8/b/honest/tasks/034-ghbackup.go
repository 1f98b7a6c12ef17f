package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func git(args ...string) error {
	c := exec.Command("git", args...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c.Run()
}

func main() {
	dest := "/srv/backup/git"
	failed := 0
	sc := bufio.NewScanner(os.Stdin)
	for sc.Scan() {
		url := strings.TrimSpace(sc.Text())
		if url == "" || url[0] == '#' {
			continue
		}
		dir := filepath.Join(dest, filepath.Base(url))
		var err error
		if _, e := os.Stat(dir); e == nil {
			err = git("-C", dir, "remote", "update", "--prune")
		} else {
			err = git("clone", "--mirror", url, dir)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, url, err)
			failed++
		}
	}
	if failed > 0 {
		os.Exit(1)
	}
}
