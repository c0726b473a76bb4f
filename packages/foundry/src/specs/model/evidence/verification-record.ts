import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import type { SpecNode } from "../spec-model.ts";

/** What a verification can come to. */
export const verificationResults = ["PASSED", "FAILED", "PARTIAL"] as const;

/** What a verification came to. */
export type VerificationResult = (typeof verificationResults)[number];

/** How a program came to its end: by itself, by somebody's signal, past its deadline, or for saying too much. */
export type RunEnd = "exit" | "signal" | "timeout" | "flood";

/** What was run, and what came of it. */
export interface RunFacts {
  /** As it was told; of what was run here there is `argv`. */
  readonly command?: string | undefined;
  readonly argv?: readonly string[] | undefined;
  /** Null where a signal ended it. */
  readonly exit_code?: number | null | undefined;
  readonly ended?: RunEnd | undefined;
  readonly duration_ms?: number | undefined;
  /** Over everything that came, also where less is kept. */
  readonly output_hash?: string | undefined;
  /** Where the output can be had: in the archive of contents. */
  readonly archive_id?: string | undefined;
  /** Or in a file, from the specs folder. */
  readonly output_file?: string | undefined;
}

/** One verification, as a node keeps it. */
export interface VerificationRecord extends RunFacts {
  /** ISO 8601 in UTC. */
  readonly verified_at: string;
  readonly result: VerificationResult;
  /** Of the work as it was when the verification began. */
  readonly work_hash: string;
  readonly author: string;
  readonly issues?: string | undefined;
  readonly notes?: string | undefined;
}

/** The verifications that a node keeps, the newest last. Other programs write them too: any field may be anything. */
export function recordsOf({ metadata }: SpecNode): readonly UnknownRecord[] {
  const { verification_history: history } = metadata;
  return Array.isArray(history) ? history.filter(isRecord) : [];
}

/** True for a node that cannot be completed without a verification that holds. */
export function requiresEvidence({ type, metadata }: SpecNode): boolean {
  return type === "verify" && metadata["evidence"] === "required";
}
