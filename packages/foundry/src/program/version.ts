/** The version of this package. `npm run release -- --prepare VERSION` writes it. */
export const version = "0.1.0";
