import { basename, isAbsolute, relative, sep } from "node:path";
import { ContractError, isContractError } from "@foundry-mcp/contract";
import { toFileError } from "@foundry-mcp/toolkit/files";
import type { CopyableStore } from "../spec-export.ts";

/**
 * The names of a store's operations in messages. In a message, the name follows the word "Cannot" and
 * precedes the id of the spec, if the operation has one.
 */
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
  remove: "delete spec",
  restore: "restore spec",
  trash: "list the trash",
  exportSpec: "export spec",
  importSpec: "import spec",
  close: "close the store",
};

/**
 * Wraps a file store so that every file system error of its operations becomes a ContractError. At any call,
 * a file may be missing, replaced, locked or on a broken disk, because other programs use the same folder.
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

/**
 * Converts a file system error that an operation of a store threw to a ContractError. Other errors are
 * returned unchanged.
 */
export function toStoreFailure(err: unknown, operation: string, root: string): unknown {
  const failure = toFileError(err, operation, nameOf(err, root));
  if (!isContractError(failure) || failure.code !== "FORBIDDEN") return failure;
  const { message, options, cause } = failure;
  return new ContractError(message, { ...options, cause, remediation: shareAdvice(basename(root)) });
}

/** Returns the remedy for a folder that belongs to another user. */
function shareAdvice(folder: string): string {
  const name = /^[\w.-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`;
  const share = `chgrp -R GROUP ${name} && chmod -R g+rwX ${name} && find ${name} -type d -exec chmod g+s {} +`;
  return `Run as the owner of the folder, or let its owner share it with a group that you are in: ${share}`;
}

function idOf(first: unknown): string | undefined {
  const id = typeof first === "object" && first !== null ? (first as { id?: unknown }).id : first;
  return typeof id === "string" ? id.slice(0, 200).toWellFormed() : undefined;
}

/** Returns the path of a failure relative to the specs folder; empty for a path outside the specs folder. */
function nameOf(err: unknown, root: string): string {
  const { path } = (err ?? {}) as { path?: unknown };
  const name = typeof path === "string" ? relative(root, path) : "";
  return name.startsWith("..") || isAbsolute(name) ? "" : name.split(sep).join("/");
}
