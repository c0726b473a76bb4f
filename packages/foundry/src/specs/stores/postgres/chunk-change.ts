import type { Plan } from "../../model/change.ts";
import type { SpecFolder } from "../../model/spec-document.ts";
import type { QueuedChange } from "../queued-change.ts";
import type { ChunkPlan } from "./plan-write.ts";

/** A requested change of a spec in the database. */
export interface ChangeRequest<R> {
  readonly id: string;
  /** The plan of the change, or a plan that reads chunks itself. */
  readonly plan: { readonly onModel: Plan<R> } | { readonly onChunks: ChunkPlan<R> };
  /** The folder to which the spec is moved. @default the current folder */
  readonly to?: SpecFolder | undefined;
  /** Moves the spec to the trash, or from the trash to its folder. @default the spec is not moved */
  readonly shelf?: "trash" | "folders" | undefined;
}

/** A change of a spec in the database that waits for its result. */
export type ChunkedChange = QueuedChange<ChangeRequest<unknown>>;

/** True for a change that may be written together with others: its plan needs only the model, and the folder stays. */
export function sharesWrite({ plan, to, shelf }: ChangeRequest<unknown>): boolean {
  return "onModel" in plan && to === undefined && shelf === undefined;
}
