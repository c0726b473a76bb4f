/** Returns the bearer token of a principal of the shared server. */
export function tokenOf(principal: string): string {
  return `token-of-${principal}-0123456789`;
}
