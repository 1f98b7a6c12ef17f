package main

import (
	"compress/gzip"
	"io"
	"log"
	"os"
)

func main() {
	in, err := os.Open("data.txt")
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create("data.txt.gz")
	if err != nil {
		log.Fatal(err)
	}
	defer out.Close()
	w := gzip.NewWriter(out)
	defer w.Close()
	if _, err := io.Copy(w, in); err != nil {
		log.Fatal(err)
	}
}
