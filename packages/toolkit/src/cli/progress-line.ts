import type { Progress } from "../context/call.ts";
import type { Streams } from "./streams.ts";
import { cut } from "./text-width.ts";
import { toVisible } from "./visible.ts";

/** One line on a terminal that tells how far the work has come, written over and over. */
export interface ProgressLine {
  show(progress: Progress): void;
  clear(): void;
}

const startOfLine = "\r\u001b[2K";

/** Creates the line; where there is no terminal nothing is shown. */
export function createProgressLine(streams: Pick<Streams, "stderr">): ProgressLine {
  let isShown = false;
  return {
    show({ progress, total, message }) {
      const { stderr } = streams;
      if (!stderr.isTTY) return;
      const share = total === undefined || total <= 0 ? "" : ` (${Math.floor((progress / total) * 100)} %)`;
      const count = total === undefined ? String(progress) : `${progress}/${total}${share}`;
      const text = message === undefined ? count : `${count} ${message}`;
      stderr.write(`${startOfLine}${cut(toVisible(text), (stderr.columns || 80) - 1)}`);
      isShown = true;
    },
    clear() {
      if (isShown) streams.stderr.write(startOfLine);
      isShown = false;
    },
  };
}
