// class: algorithm; style: structures and tags
package main

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

type Item struct {
	Name  string   `json:"name"`
	Price float64  `json:"price"`
	Tags  []string `json:"tags,omitempty"`
}

func main() {
	const doc = `[{"name":"tea","price":3.5,"tags":["hot"]},{"name":"rum","price":9}]`
	var items []Item
	if err := json.NewDecoder(strings.NewReader(doc)).Decode(&items); err != nil {
		panic(err)
	}
	sort.Slice(items, func(i, j int) bool { return items[i].Price > items[j].Price })
	out, _ := json.MarshalIndent(items, "", "  ")
	fmt.Println(string(out))
}
