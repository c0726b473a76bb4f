/** What `init` would do to a file; nothing is written before all of them are known. */
export interface PlannedFile {
  readonly path: string;
  /** `replace` overwrites what somebody may have written. */
  readonly change: "create" | "add" | "replace" | "keep";
  /** The lines that `replace` takes away, and those that it brings. */
  readonly removed?: readonly string[];
  readonly added?: readonly string[];
  write(): Promise<void>;
}
