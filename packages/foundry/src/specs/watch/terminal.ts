import type { Readable, Writable } from "node:stream";

/** What a view is written to. */
export type ScreenOutput = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
};

/** Where keys come from. */
export type KeyInput = Readable & {
  readonly isTTY?: boolean | undefined;
  setRawMode?(isRaw: boolean): unknown;
};

/** A terminal whose whole screen is ours for a while. */
export interface Terminal {
  readonly width: number;
  readonly height: number;
  /** Shows lines, and writes only those that differ from what is there. */
  show(lines: readonly string[]): void;
  /** Gives the screen and the keys back; can be called again. */
  close(): void;
}

/** How a terminal tells what happens to it. */
export interface TerminalEvents {
  onResize(): void;
  /** The person wants to leave, or has left. */
  onEnd(): void;
}

// The other screen, no cursor, and no second line for what is too long for one.
const enter = "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J";
const leave = "\u001b[?7h\u001b[?25h\u001b[?1049l";

/** q, Ctrl-C and Ctrl-D; other keys send sequences that may hold the same letters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys are control characters
const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|.)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys are control characters
const ending = /[qQ\u0003\u0004]/;

/** Opens a terminal; whatever happens to the process, it is given back. */
export function openTerminal(stdout: ScreenOutput, stdin: KeyInput, events: TerminalEvents): Terminal {
  let shown: readonly string[] = [];
  let isClosed = false;
  const onResize = () => {
    shown = [];
    stdout.write("\u001b[2J");
    events.onResize();
  };
  const onKeys = (keys: Buffer | string) => {
    if (ending.test(keys.toString().replace(sequences, ""))) events.onEnd();
  };
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    process.off("exit", close);
    process.off("uncaughtExceptionMonitor", close);
    stdout.off("resize", onResize);
    stdin.off("data", onKeys);
    stdin.off("end", events.onEnd);
    if (stdin.isTTY) stdin.setRawMode?.(false);
    stdin.pause();
    stdout.write(leave);
  };
  process.once("exit", close);
  // Before its message is printed, which is lost on a screen that goes away.
  process.once("uncaughtExceptionMonitor", close);
  // A terminal that is gone needs no view. It may say so late: that is heard to the end.
  stdout.on("error", events.onEnd);
  stdin.on("error", events.onEnd);
  stdout.write(enter);
  stdout.on("resize", onResize);
  if (stdin.isTTY) {
    stdin.setRawMode?.(true);
    stdin.on("data", onKeys);
    stdin.once("end", events.onEnd);
    stdin.resume();
  }
  return {
    get width() {
      return stdout.columns || 80;
    },
    get height() {
      return stdout.rows || 24;
    },
    show(lines) {
      if (isClosed) return;
      const rows = Math.max(lines.length, shown.length);
      const changed = Array.from({ length: rows }, (_, row) => row).filter(
        (row) => lines[row] !== shown[row],
      );
      shown = lines;
      // Emptied before and not behind: a full line has no place behind it.
      if (changed.length > 0)
        stdout.write(changed.map((row) => `\u001b[${row + 1};1H\u001b[2K${lines[row] ?? ""}`).join(""));
    },
    close,
  };
}
