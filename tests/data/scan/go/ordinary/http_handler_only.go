package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
)

type item struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

func items(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		http.Error(w, "method", http.StatusMethodNotAllowed)
		return
	}
	json.NewEncoder(w).Encode([]item{{1, "one"}, {2, "two"}})
}

func main() {
	rec := httptest.NewRecorder()
	items(rec, httptest.NewRequest("GET", "/items", nil))
	fmt.Println(rec.Code, rec.Body.String())
}
