import type { Readable, Writable } from "node:stream";

/** The output stream of a view. */
export type ScreenOutput = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
};

/** The input stream from which key presses are read. */
export type KeyInput = Readable & {
  readonly isTTY?: boolean | undefined;
  setRawMode?(isRaw: boolean): unknown;
};

/** A terminal in full-screen mode. */
export interface Terminal {
  readonly width: number;
  readonly height: number;
  /** Shows lines on the screen. Only changed lines are written. */
  show(lines: readonly string[]): void;
  /** Restores the screen and the input. If this method is called a second time, it has no effect. */
  close(): void;
}

/** The callbacks of a terminal. */
export interface TerminalEvents {
  onResize(): void;
  /** Called if the user pressed a quit key, or if the terminal was closed. */
  onEnd(): void;
}

// The sequence selects the alternate screen, hides the cursor and disables line wrapping.
const enter = "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J";
const leave = "\u001b[?7h\u001b[?25h\u001b[?1049l";

/**
 * Matches the sequences of other keys, which may contain the letters of the quit keys. The quit keys are q,
 * Ctrl-C and Ctrl-D.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: key sequences contain control characters
const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|.)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: quit keys are control characters
const ending = /[qQ\u0003\u0004]/;

/** Switches a terminal to full-screen mode. The terminal is restored even if the process exits or crashes. */
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
  // The terminal is closed before the error message is printed. On the alternate screen, the message would be
  // lost.
  process.once("uncaughtExceptionMonitor", close);
  // The terminal was closed. The listeners are not removed, because the error may come late.
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
      // Each changed row of the screen is cleared before its new text is written. If a text fills the whole row, the
      // cursor stays at the end of the row, and clearing after writing would erase the end of the text.
      if (changed.length > 0)
        stdout.write(changed.map((row) => `\u001b[${row + 1};1H\u001b[2K${lines[row] ?? ""}`).join(""));
    },
    close,
  };
}
