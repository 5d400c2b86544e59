/**
 * The names of upstreams, keys and groups: safe in a path, a log line and a metric label. `.` and `..` are not: in a
 * path they mean a folder, so that what bears them could never be asked for.
 */
export const NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;

/** The rule in words, for errors and help. */
export const NAME_RULE = '1 to 64 of A-Z a-z 0-9 . _ -, but not . or ..';
