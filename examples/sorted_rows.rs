//! Writes sorted rows as CSV, as an engine's `ORDER BY score` would: `cargo run --release --example sorted_rows -- 1000000000`.
//!
//! The score of row `k` of `n` is `(k+1)/(n+1)` to twelve digits; its label is 1 with that probability, by a generator without state.

use std::io::{BufWriter, Write};

fn main() -> std::io::Result<()> {
    let rows: u64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1000);
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    out.write_all(b"score,label\n")?;
    let mut line = *b"0.000000000000,0\n";
    for k in 1..=rows {
        // Twelve digits of k/(n+1), without rounding to a float.
        let mut digits = (u128::from(k) * 1_000_000_000_000 / u128::from(rows + 1)) as u64;
        // The finaliser of SplitMix64 gives independent bits for each row.
        let mut bits = k.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        let is_1 = u128::from(bits) * u128::from(rows + 1) < u128::from(k) << 64;
        for place in line[2..14].iter_mut().rev() {
            *place = b'0' + (digits % 10) as u8;
            digits /= 10;
        }
        line[15] = b'0' + u8::from(is_1);
        out.write_all(&line)?;
    }
    out.flush()
}
