import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import type { SpecNode } from "../spec-model.ts";

/** The results of verifications. */
export const verificationResults = ["PASSED", "FAILED", "PARTIAL"] as const;

/** The result of a verification. */
export type VerificationResult = (typeof verificationResults)[number];

/**
 * The reason why a program ended: it exited, a signal ended it, its deadline passed, or it wrote too much
 * output.
 */
export type RunEnd = "exit" | "signal" | "timeout" | "flood";

/** The program that was run, and its outcome. */
export interface RunFacts {
  /**
   * The command as the caller reported it. If the server ran the program, `argv` is stored instead of
   * `command`.
   */
  readonly command?: string | undefined;
  readonly argv?: readonly string[] | undefined;
  /** The exit code of the program; null if a signal ended the program. */
  readonly exit_code?: number | null | undefined;
  readonly ended?: RunEnd | undefined;
  readonly duration_ms?: number | undefined;
  /** The hash of the whole output, even if only a part of the output is stored. */
  readonly output_hash?: string | undefined;
  /** The id of the output in the content archive. */
  readonly archive_id?: string | undefined;
  /**
   * The path of a file with the output, relative to the specs folder. A record has either `output_file` or
   * `archive_id`.
   */
  readonly output_file?: string | undefined;
}

/** A verification as a node stores it. */
export interface VerificationRecord extends RunFacts {
  /** The time of the verification, ISO 8601 in UTC. */
  readonly verified_at: string;
  readonly result: VerificationResult;
  /** The hash of the verified work when the verification began. */
  readonly work_hash: string;
  readonly author: string;
  readonly issues?: string | undefined;
  readonly notes?: string | undefined;
}

/**
 * Returns the stored verifications of a node; the newest verification is the last. Other programs also write
 * such records, so any field may have any value.
 */
export function recordsOf({ metadata }: SpecNode): readonly UnknownRecord[] {
  const { verification_history: history } = metadata;
  return Array.isArray(history) ? history.filter(isRecord) : [];
}

/** True for a node that cannot be completed without a valid verification. */
export function requiresEvidence({ type, metadata }: SpecNode): boolean {
  return type === "verify" && metadata["evidence"] === "required";
}
