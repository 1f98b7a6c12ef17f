package main

import (
	"fmt"
	"net/url"
	"os"
	"strings"
)

func main() {
	u, err := url.Parse("https://example.com/a/b?q=1&r=2#frag")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	q := u.Query()
	q.Set("q", "3")
	u.RawQuery = q.Encode()
	fmt.Println(u.String(), strings.Split(u.Path, "/"))
}
