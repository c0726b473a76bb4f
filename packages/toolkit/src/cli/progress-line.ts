import type { Progress } from "../context/call.ts";
import { toVisible, truncate } from "../terminal/terminal-text.ts";
import type { Streams } from "./streams.ts";

/** A line on a terminal that shows the latest progress. */
export interface ProgressLine {
  show(progress: Progress): void;
  clear(): void;
}

const startOfLine = "\r\u001b[2K";

/** Creates a progress line, which is not shown if stderr is not a terminal. */
export function createProgressLine(streams: Pick<Streams, "stderr">): ProgressLine {
  let isShown = false;
  return {
    show({ progress, total, message }) {
      const { stderr } = streams;
      if (!stderr.isTTY) return;
      const columns = stderr.columns || 80;
      const count = formatCount(progress, total, columns);
      const text = message === undefined ? count : `${count} ${message}`;
      stderr.write(`${startOfLine}${truncate(toVisible(text), columns - 1)}`);
      isShown = true;
    },
    clear() {
      if (isShown) streams.stderr.write(startOfLine);
      isShown = false;
    },
  };
}

const barWidth = 24;
/**
 * The minimum width at which the progress bar is shown; with fewer columns, the bar would leave no room for the
 * message.
 */
const minColumnsForBar = 60;

function formatCount(progress: number, total: number | undefined, columns: number): string {
  if (total === undefined) return String(progress);
  if (total <= 0) return `${progress}/${total}`;
  const share = Math.min(1, Math.max(0, progress / total));
  const done = Math.floor(share * barWidth);
  const bar = columns < minColumnsForBar ? "" : `[${"#".repeat(done).padEnd(barWidth, ".")}] `;
  return `${bar}${progress}/${total} (${Math.floor(share * 100)} %)`;
}
