/** True for the address of a PostgreSQL database. */
export function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//i.test(text);
}

/** An address as it may be told, also one that is wrong: whatever could be a password is hidden. */
export function withoutPassword(text: string): string {
  const [address = "", parameters = ""] = text.split("?", 2);
  // Up to the last @: a password that holds one, unescaped, is hidden too.
  const shown = address.replace(/^((?:[a-z][a-z0-9+.-]*:\/\/)?[^/:@]*):(?!\/\/).*@/i, "$1:***@");
  const told = parameters.replace(/(^|&)([^=&]*(?:password|pass|key|cert)[^=&]*)=[^&]*/gi, "$1$2=***");
  return told === "" ? shown : `${shown}?${told}`;
}
