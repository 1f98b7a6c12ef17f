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
	link := flag.Bool("link", false, "replace duplicates by hard links")
	flag.Parse()
	bySize := map[int64][]string{}
	filepath.WalkDir(flag.Arg(0), func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if i, err := d.Info(); err == nil && i.Size() > 0 {
				bySize[i.Size()] = append(bySize[i.Size()], p)
			}
		}
		return nil
	})
	var saved int64
	for size, paths := range bySize {
		first := map[[32]byte]string{}
		for _, p := range paths {
			h, err := sum(p)
			if err != nil {
				continue
			}
			orig, dup := first[h]
			if !dup {
				first[h] = p
				continue
			}
			fmt.Println(orig, "=", p)
			saved += size
			if *link {
				tmp := p + ".tmplink"
				if os.Link(orig, tmp) == nil {
					os.Rename(tmp, p)
				}
			}
		}
	}
	fmt.Printf("%d bytes\n", saved)
}
