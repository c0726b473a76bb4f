/** True for the address of a PostgreSQL database. */
export function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//i.test(text);
}

/** An address as it may be told, also one that is wrong: whatever could be a password is hidden. */
export function withoutPassword(text: string): string {
  // Up to the last @: a password that holds one, or a slash, unescaped, is hidden too.
  const shown = text.replace(/^((?:[a-z][a-z0-9+.-]*:\/\/)?[^/:@]*):(?!\/\/).*@/i, "$1:***@");
  return shown.replace(/([?&][^=&]*(?:password|pass|key|cert)[^=&]*)=[^&]*/gi, "$1=***");
}
