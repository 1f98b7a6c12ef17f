package main

import (
	"encoding/xml"
	"fmt"
	"strings"
)

type feed struct {
	Items []struct {
		Title string `xml:"title"`
		Link  string `xml:"link"`
	} `xml:"channel>item"`
}

const doc = `<rss><channel><item><title>One</title><link>http://example.com/1</link></item></channel></rss>`

func main() {
	var f feed
	if err := xml.NewDecoder(strings.NewReader(doc)).Decode(&f); err != nil {
		panic(err)
	}
	for _, i := range f.Items {
		fmt.Println(i.Title, i.Link)
	}
}
