# Tries: to change the kernel's settings, as root may through /proc/sys.
# Expect: Returned 'contained'
def f(host):
    for name in ("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/proc/self/oom_score_adj"):
        try:
            with open(name, "w") as file:
                return file.write("|/bin/evil")
        except OSError:
            pass
    return "contained"
