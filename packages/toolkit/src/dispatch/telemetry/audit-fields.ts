import type { UnknownRecord } from "@foundry-mcp/contract";
import type { PreparedAction, PreparedTool } from "../../catalogue/prepared-tool.ts";
import type { Role } from "../../context/principal.ts";

/** The parts of a call that an audit log line reports. */
export interface AuditedCall {
  readonly target:
    | { readonly tool: PreparedTool; readonly action: PreparedAction; readonly args: UnknownRecord }
    | undefined;
  readonly principal: string;
  readonly role: Role;
}

/**
 * Creates the audit fields of a call that may change something: the caller, the action and the ids in its arguments.
 */
export function toAuditFields({ target, principal, role }: AuditedCall) {
  const action = target?.tool.isPlain ? undefined : { action: target?.action.name };
  const ids = idsIn(target?.args ?? {});
  return { audit: true, ...action, principal, role, ...(ids === undefined ? undefined : { ids }) };
}

const idName = /^(?:[a-z][a-z0-9_]{0,39}_)?id$/;
/** The form of ids written by programs; any other text may be content and is not logged. */
const idForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const maxIds = 8;

/** Returns only the ids among the arguments, and no other values. */
function idsIn(args: UnknownRecord): Readonly<Record<string, string>> | undefined {
  const ids = Object.entries(args).filter(
    (entry): entry is [string, string] =>
      idName.test(entry[0]) && typeof entry[1] === "string" && idForm.test(entry[1]),
  );
  return ids.length === 0 ? undefined : Object.fromEntries(ids.slice(0, maxIds));
}
