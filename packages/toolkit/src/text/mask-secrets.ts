/** Masks every word or quoted value of a text that looks like an address with a user, or like `password=…`. */
export function maskPasswords(text: string): string {
  return text
    .replace(/"[^"]*(?:pass(?:word|wd)?\s*=|:\/\/[^"]*[:@])[^"]*"/gi, '"***"')
    .replace(/\S*(?:pass(?:word|wd)?\s*=|:\/\/\S*[:@])\S*/gi, "***");
}

/** Masks a line from its first word that looks like an address with a user, or like `password=…`, to its end. */
export function maskFromPassword(line: string): string {
  return line.replace(/\S*(?:pass(?:word|wd)?\s*=|:\/\/\S*[:@]).*/gi, "***");
}

/** Masks the password of an address, well-formed or not, and its parameters that hold keys or passwords. */
export function maskUrlPassword(address: string): string {
  // Up to the last @: a password that holds an unescaped @ or slash is masked too.
  const masked = address.replace(/^((?:[a-z][a-z0-9+.-]*:\/\/)?[^/:@]*):(?!\/\/).*@/i, "$1:***@");
  // A password among the parameters may hold an & as well: everything after it is masked.
  return masked
    .replace(/([?&][^=&]*pass[^=&]*)=.*/i, "$1=***")
    .replace(/([?&][^=&]*(?:key|cert)[^=&]*)=[^&]*/gi, "$1=***");
}

/** Removes user and password (the userinfo of RFC 3986) from an address. */
export function stripUserInfo(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  // URL parsers accept many spellings of an address; those that they refuse are matched by pattern.
  if (url === undefined || (url.username === "" && url.password === ""))
    return address.replace(/^([a-z][a-z0-9+.-]*:)?([/\\]{2})[^/\\?#]*@|^[^/\\?#@\s]+:[^/\\?#\s]*@/i, "$1$2");
  url.username = "";
  url.password = "";
  return url.href;
}
