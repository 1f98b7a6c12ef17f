package main

import (
	"os"
	"path/filepath"
	"strings"
)

func visit(path string, info os.FileInfo, err error) error {
	if err != nil {
		return nil
	}
	if strings.HasSuffix(path, ".log") {
		return os.Remove(path)
	}
	return nil
}

func main() {
	filepath.Walk("/var", visit)
}
