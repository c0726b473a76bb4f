/** True for the address of a PostgreSQL database. */
export function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//i.test(text);
}
