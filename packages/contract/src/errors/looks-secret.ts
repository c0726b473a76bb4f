/**
 * Matches the names of arguments with secret values, such as `api_key`, `accessToken` and `password`, but not
 * `max_tokens`.
 */
const secretName =
  /(^|[._-])(pass(words?|wd|phrase)|pwd|pin|secrets?|token|jwt|auth|authorization|cookie|credentials?|(api|access|private|ssh)[_-]?key)($|[._[-])|(Password|Secret|Token|(Api|Access|Secret|Private|Ssh)Key)($|[.[])/i;

/** True for the name of an argument whose value is assumed to be secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Patterns of secrets that could be mistaken for an id or a word. */
const secretForms: readonly RegExp[] = [
  // The next patterns match a user name and password before a host, and a password after a label such as
  // `password:`.
  /\S:\S*@/,
  /\b(pass(word|wd|phrase)?|pwd|secret|token|api[ _-]?key|authorization)\s*:\s*\S/i,
  /\b(bearer|basic)\s+\S/i,
  // The next patterns match tokens with the prefix of a known issuer, and JSON Web Tokens.
  /\b(sk|pk|rk)[-_](live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{12,}/,
  /\b(gh[opsur]_|github_pat_|glpat-|npm_|pypi-|xox[abeprs]-|hf_|dop_v1_|shpat_)[A-Za-z0-9_-]{10,}/,
  /\b(AKIA|ASIA)[A-Z0-9]{12,}/,
  /\bAIza[A-Za-z0-9_-]{20,}/,
  /\beyJ[A-Za-z0-9_-]{8,}/,
  // A long run of letters and digits is a key or a hash; other ids contain separators.
  /(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{32,}/,
];

/** True for a text that has the form of a secret. */
export function looksSecret(text: string): boolean {
  return secretForms.some((form) => form.test(text));
}
