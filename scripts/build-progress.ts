/** A stream that may be a terminal. */
export interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/**
 * Shows the progress of a build. On a terminal, the progress is one line with a bar. Otherwise, each step has a line.
 */
export interface BuildProgress {
  /** Shows that a step has begun. This function is not called for a step that is already up to date. */
  begin(step: string): void;
  /** Removes the bar. */
  end(): void;
}

const startOfLine = "\r\u001b[2K";
const minColumnsForBar = 60;

/** Creates the display for a build with these steps. */
export function createBuildProgress(stream: ProgressStream, steps: readonly string[]): BuildProgress {
  let isShown = false;
  return {
    begin(step) {
      const number = steps.indexOf(step) + 1;
      const text = `Building ${step} (${number} of ${steps.length})`;
      if (!stream.isTTY) {
        stream.write(`${text}\n`);
        return;
      }
      if (!isShown) stream.write("Building Foundry. The first time takes about a minute.\n");
      isShown = true;
      const done = "#".repeat((number - 1) * 6).padEnd(steps.length * 6, ".");
      const bar = (stream.columns || 80) < minColumnsForBar ? "" : `[${done}] `;
      stream.write(`${startOfLine}${bar}${text}`);
    },
    end() {
      if (isShown) stream.write(startOfLine);
      isShown = false;
    },
  };
}
