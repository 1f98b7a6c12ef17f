const fn table() -> [u32; 256] {
    let mut t = [0u32; 256];
    let mut i = 0;
    while i < 256 {
        let mut c = i as u32;
        let mut k = 0;
        while k < 8 {
            c = if c & 1 != 0 { 0xEDB8_8320 ^ (c >> 1) } else { c >> 1 };
            k += 1;
        }
        t[i] = c;
        i += 1;
    }
    t
}

static TABLE: [u32; 256] = table();

fn crc32(data: &[u8]) -> u32 {
    !data.iter().fold(!0u32, |c, b| TABLE[((c ^ *b as u32) & 0xff) as usize] ^ (c >> 8))
}

fn main() {
    assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    println!("{:08x}", crc32(b"hello"));
}
