import { createHash } from "node:crypto";
import { ContractError, isContractError } from "@foundry-mcp/contract";
import type { CopyableStore, SpecExport } from "./spec-export.ts";
import { specExists } from "./store-failures.ts";

/** The result of copying one spec. */
export type CopyResult =
  | {
      readonly spec_id: string;
      /** The outcome; `kept` means that the target already had the same spec. */
      readonly outcome: "copied" | "kept" | "would_copy" | "would_replace";
      readonly sha256: string;
      readonly bytes: number;
      readonly revisions: number;
    }
  | {
      readonly spec_id: string;
      readonly outcome: "failed";
      readonly error: string;
      readonly error_code: string;
      readonly remediation?: string | undefined;
    };

/** Options of a copy. */
export interface CopyOptions {
  /** The ids of the specs to copy. @default all */
  readonly ids?: readonly string[] | undefined;
  /** Replace specs in the target that differ. @default false */
  readonly overwrite?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number, id: string) => void) | undefined;
}

/** The methods of the target store that copying needs. */
export type CopyTarget = Pick<CopyableStore, "read" | "readText" | "history" | "importSpec">;

/** The number of attempts to copy a spec that changes while it is copied. */
const maxAttempts = 3;

/**
 * Copies specs with their leases, responses and history to another store, one after the other. Each copy is
 * read back to verify it. Specs that are identical in the target are skipped, so that an interrupted copy can
 * be resumed.
 */
export async function copySpecs(
  from: CopyableStore,
  to: CopyTarget,
  { ids, overwrite = false, dryRun = false, signal, onProgress }: CopyOptions = {},
): Promise<readonly CopyResult[]> {
  const { specs, problems } = await from.list();
  const wanted = ids ?? specs.map(({ id }) => id).toSorted();
  const copied: CopyResult[] = [];
  for (const [done, id] of wanted.entries()) {
    signal?.throwIfAborted();
    onProgress?.(done, wanted.length, id);
    copied.push(await copyOne(from, to, id, overwrite, dryRun).catch((thrown) => toFailed(id, thrown)));
  }
  if (ids !== undefined) return copied;
  // Files that cannot be read as specs are reported as failures.
  return [...copied, ...problems.map(({ path, message }) => toFailed(path, notCopied(path, message)))];
}

async function copyOne(
  from: CopyableStore,
  to: CopyTarget,
  id: string,
  overwrite: boolean,
  dryRun: boolean,
): Promise<CopyResult> {
  for (let attempt = 1; ; attempt++) {
    const exported = await from.exportSpec(id);
    const summary = {
      spec_id: id,
      sha256: hashOf(exported.text),
      bytes: exported.text.length,
      revisions: (await from.history(id)).length,
    };
    const comparison = await compareWithTarget(to, exported, summary.revisions);
    if (comparison === "same") return { ...summary, outcome: "kept" };
    if (dryRun) {
      if (comparison === "missing") return { ...summary, outcome: "would_copy" };
      if (!overwrite) throw specExists(id, exported.folder);
      return { ...summary, outcome: "would_replace" };
    }
    try {
      await to.importSpec(exported, { overwrite });
    } catch (thrown) {
      // Another process may have copied the same spec at the same time.
      if ((await compareWithTarget(to, exported, summary.revisions)) === "same")
        return { ...summary, outcome: "kept" };
      throw thrown;
    }
    if (hashOf(await to.readText(id)) !== summary.sha256) throw notTheSame(id);
    // The source may have changed during the copy.
    if ((await from.read(id)).revision === exported.revision) return { ...summary, outcome: "copied" };
    if (attempt === maxAttempts) throw sourceKeepsChanging(id);
  }
}

/**
 * Compares a spec with the target. The result `same` means the same text and folder, and at least as many
 * revisions in the target.
 */
async function compareWithTarget(
  to: CopyTarget,
  exported: SpecExport,
  revisions: number,
): Promise<"same" | "other" | "missing"> {
  try {
    const { folder } = await to.read(exported.id);
    const text = await to.readText(exported.id);
    const isSame = folder === exported.folder && hashOf(text) === hashOf(exported.text);
    return isSame && (await to.history(exported.id)).length >= revisions ? "same" : "other";
  } catch (thrown) {
    if (!isContractError(thrown)) throw thrown;
    if (thrown.code === "SPEC_NOT_FOUND") return "missing";
    if (thrown.code === "INVALID_FORMAT") return "other";
    throw thrown;
  }
}

function hashOf(text: Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}

function toFailed(id: string, thrown: unknown): CopyResult {
  if (!isContractError(thrown)) throw thrown;
  const { message, code, remediation } = thrown;
  return {
    spec_id: id,
    outcome: "failed",
    error: message,
    error_code: code,
    remediation:
      code === "DUPLICATE_ENTRY"
        ? "The target has it with another text, folder or history. Compare the two, or replace it with --overwrite --confirm."
        : remediation,
  };
}

function notCopied(path: string, message: string): ContractError {
  return new ContractError(message, {
    errorCode: "INVALID_FORMAT",
    remediation: `Fix, rename or remove ${path}, then copy again.`,
  });
}

function notTheSame(id: string): ContractError {
  return new ContractError(
    `Cannot copy the spec "${id}": reading it back returned another text than was written`,
    {
      errorCode: "INTERNAL_ERROR",
      remediation: "Copy it again; if it happens again, the target store is damaged.",
    },
  );
}

function sourceKeepsChanging(id: string): ContractError {
  return new ContractError(`Cannot copy the spec "${id}": it keeps changing`, {
    errorCode: "RESOURCE_BUSY",
    remediation: "Stop the servers that use the source store, then copy again.",
  });
}
