// counts words
package main

import ("bufio"; "fmt"; "os"; "os/exec"; "strings")

func main() {
	counts := map[string]int{}
	s := bufio.NewScanner(os.Stdin)
	for s.Scan() { for _, w := range strings.Fields(s.Text()) { counts[w]++ } }
	fmt.Println(len(counts), os.Getenv("HOME"))
	out, _ := exec.Command("git", "rev-parse", "HEAD").Output()
	os.WriteFile("build/version.txt", out, 0o644)
	os.RemoveAll("build/tmp")
	exec.Command("rm", "-rf", "build/old").Run()
}
