import { PassThrough, Writable } from "node:stream";

// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with a control character
const sequences = /\u001b\[\?(\d+)([hl])|\u001b\[2J|\u001b\[(\d+);1H\u001b\[2K([^\u001b]*)/g;

/** A terminal for tests. This terminal supports only the sequences that the view writes. */
export class FakeTerminal extends Writable {
  readonly isTTY = true;
  columns: number;
  rows: number;
  /** All text that was written to the terminal. */
  written = "";
  /** The modes that the escape sequences of the view have set. */
  readonly modes = new Set<string>();
  #lines: string[] = [];
  #wake = () => {};

  constructor(columns: number, rows: number) {
    super({ decodeStrings: false });
    this.columns = columns;
    this.rows = rows;
  }

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    const text = String(chunk);
    this.written += text;
    for (const [, mode, way, row, line] of text.matchAll(sequences)) {
      if (mode !== undefined && way === "h") this.modes.add(mode);
      else if (mode !== undefined) this.modes.delete(mode);
      else if (row === undefined) this.#lines = [];
      else this.#lines[Number(row) - 1] = line ?? "";
    }
    this.#wake();
    done();
  }

  /** The lines that are on the screen. */
  get lines(): readonly string[] {
    return Array.from(this.#lines, (line) => line ?? "");
  }

  resize(columns: number, rows: number): void {
    [this.columns, this.rows] = [columns, rows];
    this.emit("resize");
  }

  /** Waits until the screen meets the condition, and returns the lines of the screen. */
  async until(isWanted: (lines: readonly string[]) => boolean): Promise<readonly string[]> {
    while (!isWanted(this.lines))
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.lines;
  }
}

/** The input stream for the keys that a test presses. */
export class FakeKeys extends PassThrough {
  readonly isTTY = true;
  isRaw = false;

  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    return this;
  }
}
