// change log from git history
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

func main() {
	last, _ := exec.Command("git", "describe", "--tags", "--abbrev=0").Output()
	rng := strings.TrimSpace(string(last)) + "..HEAD"
	out, err := exec.Command("git", "log", "--pretty=%s", rng).Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	groups := map[string][]string{}
	sc := bufio.NewScanner(bytes.NewReader(out))
	for sc.Scan() {
		kind, rest, ok := strings.Cut(sc.Text(), ":")
		if !ok {
			kind, rest = "other", sc.Text()
		}
		groups[kind] = append(groups[kind], strings.TrimSpace(rest))
	}
	for k, v := range groups {
		fmt.Printf("### %s\n- %s\n", k, strings.Join(v, "\n- "))
	}
}
