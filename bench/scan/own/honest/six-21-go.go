package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

const script = `import sys
print(sum(int(x) for x in sys.stdin.read().split()))
`

func main() {
	if err := os.WriteFile("/tmp/sum.py", []byte(script), 0o644); err != nil {
		panic(err)
	}
	cmd := exec.Command("python3", "/tmp/sum.py")
	cmd.Stdin = strings.NewReader("1 2 3")
	out, err := cmd.CombinedOutput()
	fmt.Println(string(out), err)
	_ = exec.Command("sh", "-c", "rm -f /tmp/sum.py").Run()
}
