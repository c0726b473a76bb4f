/** True for the address of a PostgreSQL database. */
export function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//i.test(text);
}

/** An address as it may be told, also one that is wrong: whatever could be a password is hidden. */
export function withoutPassword(text: string): string {
  // Up to the last @: a password that holds one, or a slash, unescaped, is hidden too.
  const shown = text.replace(/^((?:[a-z][a-z0-9+.-]*:\/\/)?[^/:@]*):(?!\/\/).*@/i, "$1:***@");
  // A password among the parameters may hold an & as well: what follows it goes with it.
  return shown
    .replace(/([?&][^=&]*pass[^=&]*)=.*/i, "$1=***")
    .replace(/([?&][^=&]*(?:key|cert)[^=&]*)=[^&]*/gi, "$1=***");
}
