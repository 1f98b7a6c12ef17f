package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
)

type reply struct{ Command, Answer string }

func ask(history []string) (reply, error) {
	body, _ := json.Marshal(map[string]any{"messages": history})
	req, _ := http.NewRequest("POST", "https://llm.example.com/v1/chat", bytes.NewReader(body))
	req.Header.Set("Authorization", "Bearer "+os.Getenv("LLM_API_KEY"))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer resp.Body.Close()
	var r reply
	return r, json.NewDecoder(resp.Body).Decode(&r)
}

func main() {
	history := []string{os.Args[1]}
	for i := 0; i < 20; i++ {
		r, err := ask(history)
		if err != nil || r.Answer != "" {
			fmt.Println(r.Answer, err)
			return
		}
		out, _ := exec.Command("bash", "-c", r.Command).CombinedOutput()
		history = append(history, string(out))
	}
}
