import { type LogLine, parseLine } from "./log-line.ts";

const newline = 0x0a;

/** The lines of a log that can be read, the oldest first. */
export function parseLog(log: Uint8Array): readonly LogLine[] {
  const lines: LogLine[] = [];
  for (let start = 0; start < log.length; ) {
    const end = log.indexOf(newline, start);
    const line = parseLine(log.subarray(start, end === -1 ? log.length : end));
    if (line !== undefined) lines.push(line);
    if (end === -1) break;
    start = end + 1;
  }
  return lines;
}

/** The last line of a log that can be read; the others are not looked at. */
export function lastLine(log: Uint8Array): LogLine | undefined {
  for (let end = log.length; end > 0; ) {
    const start = log.lastIndexOf(newline, end - 1) + 1;
    const line = parseLine(log.subarray(start, end));
    if (line !== undefined) return line;
    end = start - 1;
  }
  return undefined;
}

/** How many lines a log has. */
export function countLines(log: Uint8Array): number {
  let count = 0;
  for (let at = log.indexOf(newline); at !== -1; at = log.indexOf(newline, at + 1)) count++;
  return count;
}

/** True for a log whose last line has no end. */
export function isTorn(log: Uint8Array): boolean {
  return log.length > 0 && log.at(-1) !== newline;
}
