import type { CallCounts } from "./call-counts.ts";

/** The counts of one gateway, by the names of its servers. */
export type CountsByServer = Readonly<Record<string, CallCounts>>;

/** A place where the gateways that share it find each other's counts. */
export interface SharedCounts {
  /** Stores the counts of this gateway, and returns those of each other gateway that is running. */
  exchange(own: CountsByServer): Promise<readonly CountsByServer[]>;
  /** Removes the counts of this gateway. */
  close(): Promise<void>;
}
