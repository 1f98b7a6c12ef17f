package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"time"
)

// follow prints the new lines that match, and notices when the file is rotated.
func follow(path string, rx *regexp.Regexp) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	f.Seek(0, io.SeekEnd)
	rd := bufio.NewReader(f)
	for {
		line, err := rd.ReadString('\n')
		if err == nil {
			if rx.MatchString(line) {
				fmt.Print(line)
			}
			continue
		}
		if !errors.Is(err, io.EOF) {
			return err
		}
		a, _ := f.Stat()
		b, err := os.Stat(path)
		if err == nil && !os.SameFile(a, b) {
			return nil
		}
		time.Sleep(300 * time.Millisecond)
	}
}

func main() {
	expr := flag.String("e", ".", "expression")
	flag.Parse()
	rx := regexp.MustCompile(*expr)
	for {
		if err := follow(flag.Arg(0), rx); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
