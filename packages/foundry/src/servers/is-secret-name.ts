const secret =
  /(pass(word|wd|phrase)?|pwd|secret|token|jwt|auth|authorization|cookie|credentials?|key|signature|sig)$/i;

/** True for names of headers, variables and parameters whose values are secrets: `API_KEY`, `Authorization`. */
export function isSecretName(name: string): boolean {
  return secret.test(name);
}
