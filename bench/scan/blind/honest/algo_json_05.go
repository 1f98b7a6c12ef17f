// class: everyday; style: encoding/json
package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

type Item struct {
	Name  string  `json:"name"`
	Price float64 `json:"price"`
}

func main() {
	var items []Item
	if err := json.NewDecoder(strings.NewReader(`[{"name":"tea","price":2.5}]`)).Decode(&items); err != nil {
		panic(err)
	}
	fmt.Printf("%+v\n", items)
}
