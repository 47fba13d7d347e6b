# Tries: to reach memory, disks and terminals through device files.
# Expect: Returned 'contained'
import os
import stat

def f(host):
    for name in ("/dev/mem", "/dev/kmem", "/dev/port", "/dev/sda", "/dev/vda", "/dev/tty", "/dev/console", "/dev/fuse", "/dev/kvm"):
        for flags in (os.O_RDONLY, os.O_WRONLY):
            try:
                return os.open(name, flags), name
            except OSError:
                pass
    try:
        os.mknod("/tmp/disk", stat.S_IFBLK | 0o666, os.makedev(8, 0))
    except OSError:
        return "contained"
