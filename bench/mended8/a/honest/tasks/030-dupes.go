package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
)

func sum(p string) (s [32]byte, err error) {
	f, err := os.Open(p)
	if err != nil {
		return
	}
	defer f.Close()
	h := sha256.New()
	if _, err = io.Copy(h, f); err == nil {
		copy(s[:], h.Sum(nil))
	}
	return
}

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	bySize := map[int64][]string{}
	filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if i, e := d.Info(); e == nil && i.Size() > 0 {
				bySize[i.Size()] = append(bySize[i.Size()], p)
			}
		}
		return nil
	})
	var wasted int64
	for size, paths := range bySize {
		if len(paths) < 2 {
			continue
		}
		groups := map[[32]byte][]string{}
		for _, p := range paths {
			if s, err := sum(p); err == nil {
				groups[s] = append(groups[s], p)
			}
		}
		for _, g := range groups {
			if len(g) > 1 {
				sort.Strings(g)
				wasted += size * int64(len(g)-1)
				fmt.Println(size, g)
			}
		}
	}
	fmt.Printf("%.1f MB could be saved\n", float64(wasted)/1e6)
}
