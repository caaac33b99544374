/**
 * Root keeps its capabilities in namespaces. With these a command of root would unmount what hides other processes and the
 * data folder, read files past all mounts by their handles or from a disk of its own making, or reach into the kernel.
 * Other users never have them.
 */
export const BEYOND_MOUNTS = ['sys_admin', 'dac_read_search', 'mknod', 'sys_rawio', 'sys_module'] as const
