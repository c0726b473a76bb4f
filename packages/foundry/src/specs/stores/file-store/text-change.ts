import type { SpecFolder } from "../../model/spec-document.ts";
import type { QueuedChange } from "../queued-change.ts";
import type { TextPlan } from "./plan-change.ts";

/** A requested change of a spec file. */
export interface ChangeRequest<R> {
  readonly id: string;
  /** The folder to which the spec is moved. @default the current folder */
  readonly to?: SpecFolder | undefined;
  /** Moves the spec to the trash, or from the trash to its folder. @default the spec is not moved */
  readonly shelf?: "trash" | "folders" | undefined;
  readonly plan: TextPlan<R>;
  /** Accept a file that cannot be parsed as a spec. @default false */
  readonly acceptsInvalid?: boolean;
}

/** A change of a spec file that waits for its result. */
export type TextChange = QueuedChange<ChangeRequest<unknown>>;

/** True for a change that may be written together with others: it changes neither the folder nor an invalid file. */
export function sharesWrite({ to, shelf, acceptsInvalid = false }: ChangeRequest<unknown>): boolean {
  return to === undefined && shelf === undefined && !acceptsInvalid;
}
