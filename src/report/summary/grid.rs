//! Plain columns of text: a header, and sections with headings.

use comfy_table::{Table, presets};

/// Rows below a heading.
pub(super) struct Section {
    pub(super) heading: Option<String>,
    pub(super) rows: Vec<Vec<String>>,
}

/// A table without lines between columns. All sections share the widths of the columns.
pub(super) struct Grid {
    pub(super) header: Vec<String>,
    pub(super) sections: Vec<Section>,
}

impl Grid {
    /// The table as text. The last column holds titles, which may be left out.
    pub(super) fn render(&self, has_last_column: bool) -> String {
        let cut = |row: &[String]| row[..row.len() - usize::from(!has_last_column)].to_vec();
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(cut(&self.header));
        self.sections.iter().flat_map(|section| &section.rows).for_each(|row| {
            table.add_row(cut(row));
        });
        let mut lines = table.lines().map(|line| line.trim_end().to_owned());
        let header = lines.next().unwrap_or_default();
        let rest: Vec<String> = lines.collect();
        let width = rest.iter().chain([&header]).map(|line| line.chars().count()).max().unwrap_or(0);
        let mut out = vec![header, "─".repeat(width)];
        let mut rest = rest.into_iter();
        for section in &self.sections {
            out.extend(section.heading.iter().map(|heading| format!(" {heading}")));
            out.extend(rest.by_ref().take(section.rows.len()));
        }
        out.join("\n") + "\n"
    }
}

/// The number of characters of the longest line.
pub(super) fn width(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}
