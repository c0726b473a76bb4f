import { basename, isAbsolute, relative, sep } from "node:path";
import { ContractError, isContractError } from "@foundry-mcp/contract";
import { toFileError } from "@foundry-mcp/toolkit/files";
import type { CopyableStore } from "../spec-export.ts";

/** The operations of a store; each completes "Cannot …" together with the spec's id. */
const operations: Readonly<Record<Exclude<keyof CopyableStore, "watch" | "probe">, string>> = {
  list: "list the specs",
  read: "read spec",
  readText: "read spec",
  change: "change spec",
  create: "create spec",
  move: "move spec",
  leases: "read the leases of spec",
  history: "read the history of spec",
  readRevision: "read the history of spec",
  rollBack: "roll back spec",
  exportSpec: "export spec",
  importSpec: "import spec",
  close: "close the store",
};

/**
 * The edge of a store of files: turns every file system error that its operations let through into a ContractError.
 * At any call a file may be gone, replaced, locked away or on a broken disk, because other programs use the folder too.
 */
export function withTypedFailures(store: CopyableStore, root: string): CopyableStore {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      const operation = (operations as Readonly<Record<string | symbol, string>>)[name];
      if (operation === undefined) return member.bind(target);
      return (...args: readonly unknown[]) => {
        const id = idOf(args[0]);
        return (member.apply(target, args) as Promise<unknown>).catch((err: unknown) => {
          throw toStoreFailure(
            err,
            id === undefined ? operation : `${operation} ${JSON.stringify(id)}`,
            root,
          );
        });
      };
    },
  });
}

/** Converts what an operation of a store threw to a ContractError, if it is a file system error. */
export function toStoreFailure(err: unknown, operation: string, root: string): unknown {
  const failure = toFileError(err, operation, nameOf(err, root));
  if (!isContractError(failure) || failure.code !== "FORBIDDEN") return failure;
  const { message, options, cause } = failure;
  return new ContractError(message, { ...options, cause, remediation: shareAdvice(basename(root)) });
}

/** The remedy for a folder that belongs to another user. */
function shareAdvice(folder: string): string {
  const name = /^[\w.-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`;
  const share = `chgrp -R GROUP ${name} && chmod -R g+rwX ${name} && find ${name} -type d -exec chmod g+s {} +`;
  return `Run as the owner of the folder, or let its owner share it with a group that you are in: ${share}`;
}

function idOf(first: unknown): string | undefined {
  const id = typeof first === "object" && first !== null ? (first as { id?: unknown }).id : first;
  return typeof id === "string" ? id.slice(0, 200).toWellFormed() : undefined;
}

/** The path of a failure relative to the specs folder; empty outside of it. */
function nameOf(err: unknown, root: string): string {
  const { path } = (err ?? {}) as { path?: unknown };
  const name = typeof path === "string" ? relative(root, path) : "";
  return name.startsWith("..") || isAbsolute(name) ? "" : name.split(sep).join("/");
}
