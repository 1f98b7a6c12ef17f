package main

import (
	"fmt"
	"io/fs"
	"path/filepath"
)

func main() {
	var total int64
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			info, err := d.Info()
			if err != nil {
				return err
			}
			total += info.Size()
		}
		return nil
	})
	fmt.Println(total, err)
}
