//! Work on the items of a slice: on all cores with the feature `threads`, one after another without it. Results do not depend on which.

#[cfg(feature = "threads")]
use rayon::prelude::*;

/// `f` of each item, in the order of the items.
pub fn map<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    #[cfg(feature = "threads")]
    return items.par_iter().map(f).collect();
    #[cfg(not(feature = "threads"))]
    return items.iter().map(f).collect();
}

/// The first result of `f` that is not `None`, in the order of the items.
pub fn find_map<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> Option<R> + Sync + Send) -> Option<R> {
    #[cfg(feature = "threads")]
    return items.par_iter().find_map_first(f);
    #[cfg(not(feature = "threads"))]
    return items.iter().find_map(f);
}
