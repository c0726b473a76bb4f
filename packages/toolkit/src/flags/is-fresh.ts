/** How old a verdict or a look at the file may be, in milliseconds. */
const longestAge = 1_000;

/** Whether something is less than a second old; a clock that was set back makes it old. */
export function isFresh(since: number, now: number): boolean {
  const age = now - since;
  return age >= 0 && age < longestAge;
}
