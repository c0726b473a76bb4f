/** A change that `init` would make to a file. No file is written before the changes of all files are known. */
export interface PlannedFile {
  readonly path: string;
  /** The kind of change. `replace` overwrites lines that a person may have written. */
  readonly change: "create" | "add" | "replace" | "keep";
  /** The lines that `replace` removes, and the lines that `replace` adds. */
  readonly removed?: readonly string[];
  readonly added?: readonly string[];
  /** A problem of the file, which is printed as a warning. */
  readonly warning?: string | undefined;
  write(): Promise<void>;
}
