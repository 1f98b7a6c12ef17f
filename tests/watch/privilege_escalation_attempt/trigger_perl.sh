# what: asks to be root, in Perl
# network: none
echo begun
perl -e '$< = 0; $> = 0'
sleep 0.6
echo done
