import { PassThrough, Writable } from "node:stream";

// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with one
const sequences = /\u001b\[\?(\d+)([hl])|\u001b\[2J|\u001b\[(\d+);1H\u001b\[2K([^\u001b]*)/g;

/** A terminal that a test reads: it knows what the view writes, and nothing else. */
export class FakeTerminal extends Writable {
  readonly isTTY = true;
  columns: number;
  rows: number;
  /** Everything that was written. */
  written = "";
  /** Escape sequences that the view may write, with what they did. */
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

  /** Waits until the screen is as wanted, and returns it. */
  async until(isWanted: (lines: readonly string[]) => boolean): Promise<readonly string[]> {
    while (!isWanted(this.lines))
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.lines;
  }
}

/** Keys that a test presses. */
export class FakeKeys extends PassThrough {
  readonly isTTY = true;
  isRaw = false;

  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    return this;
  }
}
