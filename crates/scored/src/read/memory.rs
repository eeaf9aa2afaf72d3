//! Columns that grow as long as there is memory.

use super::error::Cause;

/// Appends a value, unless there is no memory for it.
#[inline]
pub(super) fn append<T>(column: &mut Vec<T>, value: T) -> Result<(), Cause> {
    if column.len() == column.capacity() {
        grow(column)?;
    }
    column.push(value);
    Ok(())
}

/// Makes room for more values: twice as many, or an eighth more if there is no memory for that.
#[cold]
fn grow<T>(column: &mut Vec<T>) -> Result<(), Cause> {
    let few = column.len() / 8 + 1;
    column.try_reserve(1).or_else(|_| column.try_reserve_exact(few)).map_err(|_| Cause::Memory(column.len()))
}

/// Checks that there is memory for the evaluation of this many rows, which sorts a copy of each score.
pub(super) fn check_room(rows: usize, bytes_per_row: usize) -> Result<(), Cause> {
    let mut room: Vec<u8> = Vec::new();
    room.try_reserve_exact(rows.saturating_mul(bytes_per_row)).map_err(|_| Cause::Memory(rows))
}
