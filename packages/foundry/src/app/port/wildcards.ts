/** The addresses that represent all addresses of a machine. */
export const wildcards: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);
