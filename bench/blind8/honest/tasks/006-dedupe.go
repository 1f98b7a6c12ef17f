package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

func sum(p string) (string, error) {
	f, err := os.Open(p)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

func main() {
	minSize := flag.Int64("min", 1<<10, "smallest size")
	flag.Parse()
	bySize := map[int64][]string{}
	for _, root := range flag.Args() {
		filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil
			}
			if i, err := d.Info(); err == nil && i.Size() >= *minSize {
				bySize[i.Size()] = append(bySize[i.Size()], p)
			}
			return nil
		})
	}
	for size, list := range bySize {
		groups := map[string][]string{}
		for _, p := range list {
			if len(list) > 1 {
				if h, err := sum(p); err == nil {
					groups[h] = append(groups[h], p)
				}
			}
		}
		for _, g := range groups {
			if len(g) > 1 {
				fmt.Println(size, g)
			}
		}
	}
}
