/** A name without the user and the password that an address may hold. */
export function withoutUser(name: string): string {
  const url = URL.canParse(name) ? new URL(name) : undefined;
  // What browsers take for an address may be written in many ways; what they do not, is taken by its look.
  if (url === undefined || (url.username === "" && url.password === ""))
    return name.replace(/^([a-z][a-z0-9+.-]*:)?([/\\]{2})[^/\\?#]*@|^[^/\\?#@\s]+:[^/\\?#\s]*@/i, "$1$2");
  url.username = "";
  url.password = "";
  return url.href;
}
