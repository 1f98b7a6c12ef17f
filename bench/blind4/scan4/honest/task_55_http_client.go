// reads the build status from the CI
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"
)

type run struct {
	Name       string `json:"name"`
	Conclusion string `json:"conclusion"`
}

func main() {
	req, _ := http.NewRequest("GET", "https://api.github.com/repos/acme/widgets/actions/runs?per_page=5", nil)
	req.Header.Set("Authorization", "Bearer "+os.Getenv("GITHUB_TOKEN"))
	cl := &http.Client{Timeout: 10 * time.Second}
	res, err := cl.Do(req)
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	var out struct {
		Runs []run `json:"workflow_runs"`
	}
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil {
		log.Fatal(err)
	}
	for _, r := range out.Runs {
		fmt.Println(r.Name, r.Conclusion)
	}
}
