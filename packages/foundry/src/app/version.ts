/** The version of this package, as its package.json says it. */
export const version = "0.1.0";
