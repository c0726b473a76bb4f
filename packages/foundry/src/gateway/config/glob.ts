/** True for a pattern that can match several names. */
export function isGlob(pattern: string): boolean {
  return /[*?]/.test(pattern);
}

/**
 * Returns true if a pattern matches a whole name: `*` matches any characters and `?` one character. The time is at most
 * proportional to the product of both lengths. A regular expression with several `*` could take far longer.
 */
export function matchesGlob(pattern: string, name: string): boolean {
  let at = 0;
  let inName = 0;
  let star = -1;
  let resume = 0;
  while (inName < name.length) {
    if (pattern[at] === "*") {
      star = at++;
      resume = inName;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === name[inName])) {
      at += 1;
      inName += 1;
    } else if (star !== -1) {
      at = star + 1;
      resume += 1;
      inName = resume;
    } else return false;
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}
