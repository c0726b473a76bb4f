const longestMessage = 2_000;

/** A foreign text as the message of a failure: without stack frames, bounded, `otherwise` where nothing is left. */
export function toMessage(text: string, otherwise: string): string {
  const told = withoutStack(text).trim().toWellFormed();
  if (told === "") return otherwise;
  return told.length <= longestMessage ? told : `${told.slice(0, longestMessage - 1).toWellFormed()}…`;
}

/** What stood before the frames of JavaScript, or after those of Python. */
function withoutStack(text: string): string {
  const traceback = text.indexOf("Traceback (most recent call last)");
  if (traceback !== -1) return text.slice(0, traceback) + text.trimEnd().split("\n").at(-1);
  const frame = text.search(/\n[ \t]+at \S/);
  return frame === -1 ? text : text.slice(0, frame);
}

/** Absolute paths of two parts or more; an address that follows a scheme is none. */
const path = /(?<![\w:/.])(?:file:\/\/)?(?:[A-Za-z]:\\|\/)(?:[^\s:'"()<>|\\/]+[\\/])+[^\s:'"()<>|,;]*/g;

/** The text with absolute paths taken out: where a server keeps its files is no one's business. */
export function withoutPaths(text: string): string {
  return text.replace(path, "(path)");
}
