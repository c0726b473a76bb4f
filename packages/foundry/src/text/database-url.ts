/** True for the address of a PostgreSQL database. */
export function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//i.test(text);
}

/** An address of a database as it may be told: whatever could be a password is hidden. */
export function withoutPassword(text: string): string {
  if (!isDatabaseUrl(text)) return text;
  const [address = "", parameters = ""] = text.split("?", 2);
  // Up to the last @: a password that holds one, unescaped, is hidden too.
  const shown = address.replace(/^([a-z]+:\/\/)([^/:@]*):.*@/i, "$1$2:***@");
  const told = parameters.replace(/(^|&)([^=&]*(?:password|pass|key|cert)[^=&]*)=[^&]*/gi, "$1$2=***");
  return told === "" ? shown : `${shown}?${told}`;
}
