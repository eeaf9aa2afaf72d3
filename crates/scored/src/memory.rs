//! The memory that is left for an evaluation.

use std::fs::read_to_string;

/// Bytes of a kilobyte in `/proc`.
const KILOBYTE: u64 = 1024;

/// Bytes of address space that glibc may reserve for a thread.
const RESERVED_BY_THREAD: u64 = 128 << 20;

/// The number of bytes that can still be allocated: the least of what the machine, the control groups and the limits of this process leave.
/// `None` if the system does not tell, as outside of Linux.
pub fn available_memory() -> Option<u64> {
    start_threads();
    let of_machine = read_to_string("/proc/meminfo").ok().and_then(|text| left_by_machine(&text));
    let groups = read_to_string("/proc/self/cgroup").unwrap_or_default();
    of_machine.into_iter().chain(left_to_process()).chain(left_by_groups(&groups)).min()
}

/// Starts the threads of evaluations, which reserve address space when they allocate for the first time. If little is left, this thread
/// works alone.
fn start_threads() {
    let Some(left) = left_to_process() else { return };
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    if left < RESERVED_BY_THREAD.saturating_mul(2 * cores) {
        // Threads that run already have what they reserve.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
    } else {
        rayon::broadcast(|_| std::hint::black_box(vec![0_u8; 64]).len());
    }
}

/// What the limits of this process leave; `None` if it has none.
fn left_to_process() -> Option<u64> {
    let [limits, status] = ["limits", "status"].map(|name| read_to_string(format!("/proc/self/{name}")).ok());
    left_by_limits(&limits?, &status?)
}

/// The number after a name in lines such as `MemFree:  123 kB`.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim_start_matches(':').split_whitespace().next()?.parse().ok()
}

/// The memory that the machine has left, swap included, by `/proc/meminfo`.
fn left_by_machine(meminfo: &str) -> Option<u64> {
    let free = field(meminfo, "MemAvailable:")? + field(meminfo, "SwapFree:").unwrap_or(0);
    Some(KILOBYTE * free)
}

/// What the soft limits on address space and data leave, by `/proc/self/limits` and `/proc/self/status`.
fn left_by_limits(limits: &str, status: &str) -> Option<u64> {
    let left = |limit: &str, used: &str| {
        // No number stands there if there is no limit.
        let limit = field(limits, limit)?;
        Some(limit.saturating_sub(KILOBYTE * field(status, used)?))
    };
    [left("Max address space", "VmSize:"), left("Max data size", "VmData:")].into_iter().flatten().min()
}

/// What the control group of this process, and those around it, leave, by the paths in `/proc/self/cgroup`.
fn left_by_groups(cgroup: &str) -> Option<u64> {
    let of_line = |line: &str| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        let (root, names) = match controllers {
            "" => ("/sys/fs/cgroup", ["memory.max", "memory.current", "inactive_file"]),
            _ if controllers.split(',').any(|name| name == "memory") => {
                ("/sys/fs/cgroup/memory", ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"])
            }
            _ => return None,
        };
        // Each group has the limits of those around it. Inside of a container the path may lead nowhere, and the root is its group.
        let ancestors = std::path::Path::new(path).ancestors().map(|group| format!("{root}{}", group.display()));
        ancestors.filter_map(|folder| left_by_group(folder.trim_end_matches('/'), names)).min()
    };
    cgroup.lines().filter_map(of_line).min()
}

/// What a control group leaves, given the names of the files of its limit and of its use, and of the cache that it can give back.
fn left_by_group(folder: &str, [limit, used, cache]: [&str; 3]) -> Option<u64> {
    let number = |name: &str| read_to_string(format!("{folder}/{name}")).ok()?.trim().parse::<u64>().ok();
    let statistics = read_to_string(format!("{folder}/memory.stat")).unwrap_or_default();
    let cache = field(&statistics, &format!("{cache} ")).unwrap_or(0);
    Some(number(limit)?.saturating_sub(number(used)?.saturating_sub(cache)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        assert_eq!(left_by_machine("MemTotal: 100 kB\nMemAvailable:   60 kB\nSwapFree: 4 kB\n"), Some(65_536));
        let status = "VmSize:\t   100 kB\nVmData:\t    10 kB\n";
        let limits = "Max cpu time   unlimited  unlimited  seconds\nMax data size  unlimited  unlimited  bytes\n\
                      Max address space  204800  409600  bytes\n";
        assert_eq!(left_by_limits(limits, status), Some(102_400));
        assert_eq!(left_by_limits(&limits.replace("204800", "unlimited"), status), None);
        assert_eq!(left_by_limits(&limits.replace("204800", "1000"), status), Some(0));
        assert_eq!(left_by_groups("4:cpu:/\n"), None);
    }

    #[test]
    fn control_groups_leave_their_cache() {
        let folder = std::env::temp_dir().join(format!("rocproof-group-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.to_str().unwrap();
        let names = ["memory.max", "memory.current", "inactive_file"];
        assert_eq!(left_by_group(path, names), None);
        for (name, text) in
            [("memory.max", "1000\n"), ("memory.current", "700\n"), ("memory.stat", "anon 5\ninactive_file 50\n")]
        {
            std::fs::write(folder.join(name), text).unwrap();
        }
        assert_eq!(left_by_group(path, names), Some(350));
        std::fs::write(folder.join("memory.max"), "max\n").unwrap();
        assert_eq!(left_by_group(path, names), None);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
