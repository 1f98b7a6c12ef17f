package main

import (
	"crypto/sha256"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
)

var targets = [][2]string{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "arm64"}, {"windows", "amd64"}}

func main() {
	os.RemoveAll("dist")
	if err := os.MkdirAll("dist", 0o755); err != nil {
		log.Fatal(err)
	}
	sums, err := os.Create(filepath.Join("dist", "SHA256SUMS"))
	if err != nil {
		log.Fatal(err)
	}
	defer sums.Close()
	for _, t := range targets {
		name := fmt.Sprintf("shelf-%s-%s", t[0], t[1])
		out := filepath.Join("dist", name)
		c := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", out, "./cmd/shelf")
		c.Env = append(os.Environ(), "GOOS="+t[0], "GOARCH="+t[1], "CGO_ENABLED=0")
		c.Stderr = os.Stderr
		if err := c.Run(); err != nil {
			log.Fatal(name, err)
		}
		b, _ := os.ReadFile(out)
		fmt.Fprintf(sums, "%x  %s\n", sha256.Sum256(b), name)
	}
}
