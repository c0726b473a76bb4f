import { createHash } from "node:crypto";
import { ContractError, isContractError } from "@foundry-mcp/contract";
import type { CopyableStore, SpecExport } from "./spec-export.ts";
import { specExists } from "./store-failures.ts";

/** What became of one spec. */
export type CopyResult =
  | {
      readonly spec_id: string;
      /** `kept` where it was there already, whole. */
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

/** How specs are copied. */
export interface CopyOptions {
  /** Only these. @default all */
  readonly ids?: readonly string[] | undefined;
  /** Replace those that are there with another text. @default false */
  readonly overwrite?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number, id: string) => void) | undefined;
}

/** What a copy asks of the store that it goes to. */
export type CopyTarget = Pick<CopyableStore, "read" | "readText" | "history" | "importSpec">;

/** A spec that is changed while it is copied is copied again so often. */
const mostTries = 3;

/**
 * Copies specs with all that is kept of them from one store to another, one after the other, and reads each again to
 * see that it is the same. What is there already stays, so that a copy that was cut short goes on where it was.
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
  // What cannot be read as a spec is no spec in another store either.
  return [...copied, ...problems.map(({ path, message }) => toFailed(path, notCopied(path, message)))];
}

async function copyOne(
  from: CopyableStore,
  to: CopyTarget,
  id: string,
  overwrite: boolean,
  dryRun: boolean,
): Promise<CopyResult> {
  for (let tries = 1; ; tries++) {
    const parcel = await from.exportSpec(id);
    const told = {
      spec_id: id,
      sha256: hashOf(parcel.text),
      bytes: parcel.text.length,
      revisions: (await from.history(id)).length,
    };
    const standing = await compareWithTarget(to, parcel, told.revisions);
    if (standing === "same") return { ...told, outcome: "kept" };
    if (dryRun) {
      if (standing === "missing") return { ...told, outcome: "would_copy" };
      if (!overwrite) throw specExists(id, parcel.folder);
      return { ...told, outcome: "would_replace" };
    }
    try {
      await to.importSpec(parcel, { overwrite });
    } catch (thrown) {
      // Another copy may have been faster with the same.
      if ((await compareWithTarget(to, parcel, told.revisions)) === "same")
        return { ...told, outcome: "kept" };
      throw thrown;
    }
    if (hashOf(await to.readText(id)) !== told.sha256) throw notTheSame(id);
    // Somebody may have changed it meanwhile.
    if ((await from.read(id)).revision === parcel.revision) return { ...told, outcome: "copied" };
    if (tries === mostTries) throw sourceKeepsChanging(id);
  }
}

/** Whether a spec is there, with the same text, in the same folder, and with as much of its past. */
async function compareWithTarget(
  to: CopyTarget,
  parcel: SpecExport,
  revisions: number,
): Promise<"same" | "other" | "missing"> {
  try {
    const { folder } = await to.read(parcel.id);
    const text = await to.readText(parcel.id);
    const isSame = folder === parcel.folder && hashOf(text) === hashOf(parcel.text);
    return isSame && (await to.history(parcel.id)).length >= revisions ? "same" : "other";
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
  const { message, code, options } = thrown;
  return {
    spec_id: id,
    outcome: "failed",
    error: message,
    error_code: code,
    remediation:
      code === "DUPLICATE_ENTRY"
        ? "It is there, with another text, folder or history: compare the two, or replace it with --overwrite --confirm."
        : options.remediation,
  };
}

function notCopied(path: string, message: string): ContractError {
  return new ContractError(message, {
    errorCode: "INVALID_FORMAT",
    remediation: `Mend, rename or remove ${path}, then copy again.`,
  });
}

function notTheSame(id: string): ContractError {
  return new ContractError(`Cannot copy the spec "${id}": what was read again is not what was written`, {
    errorCode: "INTERNAL_ERROR",
    remediation: "Copy it again; if it happens again, the store that it goes to is damaged.",
  });
}

function sourceKeepsChanging(id: string): ContractError {
  return new ContractError(`Cannot copy the spec "${id}": it is changed all the time`, {
    errorCode: "RESOURCE_BUSY",
    remediation: "End the servers that use the store it comes from, then copy again.",
  });
}
