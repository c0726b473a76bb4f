/** Masks every word or quoted value of a text that looks like a URL with a user name or like `password=…`. */
export function maskPasswords(text: string): string {
  return text
    .replace(/"[^"]*(?:pass(?:word|wd)?\s*=|:\/\/[^"]*[:@])[^"]*"/gi, '"***"')
    .replace(/\S*(?:pass(?:word|wd)?\s*=|:\/\/\S*[:@])\S*/gi, "***");
}

/**
 * Masks the end of a line, beginning with the first word that looks like a URL with a user name or like
 * `password=…`.
 */
export function maskFromPassword(line: string): string {
  return line.replace(/\S*(?:pass(?:word|wd)?\s*=|:\/\/\S*[:@]).*/gi, "***");
}

/**
 * Masks the password of a URL, and query parameters that contain keys or passwords. The URL need not be
 * well-formed.
 */
export function maskUrlPassword(address: string): string {
  // Everything up to the last @ is masked, because a password may contain an unescaped @ or slash.
  const masked = address.replace(/^((?:[a-z][a-z0-9+.-]*:\/\/)?[^/:@]*):(?!\/\/).*@/i, "$1:***@");
  // A password in a parameter may also contain an &, so everything after the parameter's name is masked.
  return masked
    .replace(/([?&][^=&]*pass[^=&]*)=.*/i, "$1=***")
    .replace(/([?&][^=&]*(?:key|cert)[^=&]*)=[^&]*/gi, "$1=***");
}

/** Removes user and password (the userinfo of RFC 3986) from a URL. */
export function stripUserInfo(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  // URL parsers accept many spellings of a URL; texts that the parser refuses are matched with a pattern.
  if (url === undefined || (url.username === "" && url.password === ""))
    return address.replace(/^([a-z][a-z0-9+.-]*:)?([/\\]{2})[^/\\?#]*@|^[^/\\?#@\s]+:[^/\\?#\s]*@/i, "$1$2");
  url.username = "";
  url.password = "";
  return url.href;
}
