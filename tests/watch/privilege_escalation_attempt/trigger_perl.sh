# what: asks to be root, in Perl
# network: none
echo begun
perl -e '$< = 0; $> = 0'
sleep ${LINGER:-20}
echo done
