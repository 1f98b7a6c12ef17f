// class: processes; style: wrapper around git
package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

func git(args ...string) string {
	out, err := exec.Command("git", args...).CombinedOutput()
	if err != nil {
		fmt.Fprintf(os.Stderr, "git %s: %v\n%s", strings.Join(args, " "), err, out)
		os.Exit(1)
	}
	return strings.TrimSpace(string(out))
}

func main() {
	branch := git("rev-parse", "--abbrev-ref", "HEAD")
	git("fetch", "--prune", "origin")
	for _, b := range strings.Fields(git("branch", "--merged", "origin/main", "--format=%(refname:short)")) {
		if b != branch && b != "main" {
			fmt.Println(git("branch", "-d", b))
		}
	}
}
