//! An answer as an editor lays it out.

/// Each line of a text wrapped at so many columns.
pub fn wrapped(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut column = 0;
        for word in line.split_whitespace() {
            let wide = word.chars().count();
            if column > 0 && column + 1 + wide > width {
                out.push('\n');
                column = 0;
            } else if column > 0 {
                out.push(' ');
                column += 1;
            }
            out.push_str(word);
            column += wide;
        }
        out.push('\n');
    }
    out
}
