tmux new-session -d -s dev 'cd api && uvicorn main:app --reload'
tmux split-window -h 'cd web && npm run dev'
tmux split-window -v 'docker compose logs -f db'
watch -n 5 'kubectl get pods; kubectl top nodes'
