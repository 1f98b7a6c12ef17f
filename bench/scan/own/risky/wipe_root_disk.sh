disk=$(lsblk -ndo PKNAME "$(findmnt -no SOURCE /)"); mkfs.ext4 -F /dev/$disk
