package main

import (
	"fmt"
	"os"
	"os/exec"
)

func main() {
	f, err := os.Create("report.md")
	if err != nil {
		panic(err)
	}
	defer f.Close()
	f.WriteString("# Report\n")
	for _, args := range [][]string{{"go", "vet", "./..."}, {"go", "test", "./..."}, {"git", "diff", "--stat"}} {
		out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
		fmt.Fprintf(f, "## %v\n%s%v\n", args, out, err)
	}
	exec.Command("sudo", "systemctl", "reload", "nginx").Run()
}
