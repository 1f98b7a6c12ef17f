package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"
)

type result struct {
	Valid    bool
	Errors   []string
	Warnings []string
}

func lint(base, token, project, file string) (*result, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	body, _ := json.Marshal(map[string]string{"content": string(src)})
	req, err := http.NewRequest("POST", fmt.Sprintf("%s/api/v4/projects/%s/ci/lint", base, project), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("PRIVATE-TOKEN", token)
	req.Header.Set("Content-Type", "application/json")
	r, err := (&http.Client{Timeout: 15 * time.Second}).Do(req)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	if r.StatusCode != 200 {
		return nil, fmt.Errorf("server says %s", r.Status)
	}
	var out result
	return &out, json.NewDecoder(r.Body).Decode(&out)
}

func main() {
	code := 0
	for _, f := range os.Args[1:] {
		r, err := lint(os.Getenv("GITLAB_URL"), os.Getenv("GITLAB_TOKEN"), os.Getenv("CI_PROJECT_ID"), f)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		fmt.Println(f, r.Valid, r.Errors, r.Warnings)
		if !r.Valid {
			code = 1
		}
	}
	os.Exit(code)
}
