/** A number with its word: 1 warning, 2 warnings. */
export function toCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
