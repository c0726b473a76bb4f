import { isRecord, type JsonValue } from "@foundry-mcp/contract";
import { nodeStatuses, nodeTypes, rootId } from "../spec-document.ts";
import type { SpecCheck } from "./check-context.ts";
import type { Finding } from "./diagnostics.ts";
import { quote } from "./quote.ts";
import { resolveNodeType, resolveStatus, resolveType, useOneOf } from "./resolve-value.ts";

/**
 * Checks those fields of each node whose validity does not depend on other nodes. Parents and counts have separate
 * checks.
 */
export const checkNodes: SpecCheck = ({ hierarchy }, add) => {
  for (const id of Object.keys(hierarchy)) {
    const node = hierarchy[id];
    if (!isRecord(node)) {
      add({
        code: "INVALID_NODE_STRUCTURE",
        path: ["hierarchy", id],
        message: `Node ${quote(id)} is ${quote(node)}, not an object`,
        remedy: "Make it an object, or remove it.",
      });
      continue;
    }
    const { type, title, status } = node;
    const defaults = {
      type: resolveNodeType(id, type),
      title: titleOf(id),
      status: "pending",
      children: [],
      metadata: {},
    };
    for (const [field, value] of Object.entries(defaults))
      if (node[field] === undefined) add(missingField(id, field, value));
    if (type !== undefined && !isOneOf(type, nodeTypes))
      add(
        invalidValue("INVALID_NODE_TYPE", [id, "type"], type, nodeTypes, {
          meant: resolveType(type),
          value: defaults.type,
        }),
      );
    // The root of an archived spec may have the status archived.
    const isArchived = id === rootId && status === "archived";
    if (status !== undefined && !isOneOf(status, nodeStatuses) && !isArchived)
      add(
        invalidValue("INVALID_STATUS", [id, "status"], status, nodeStatuses, {
          meant: resolveStatus(status),
          value: resolveStatus(status) ?? "pending",
        }),
      );
    if (title !== undefined && !(typeof title === "string" && title.trim() !== ""))
      add({
        code: "EMPTY_TITLE",
        path: ["hierarchy", id, "title"],
        message: `Empty title: ${quote(title)}`,
        remedy: `Set title to ${quote(titleOf(id))}.`,
        edits: [{ op: "set", path: ["hierarchy", id, "title"], value: titleOf(id) }],
      });
  }
};

/** Creates the finding for a missing field, with the value that the repair sets. */
export function missingField(id: string, field: string, value: JsonValue): Finding {
  return {
    code: "MISSING_NODE_FIELD",
    path: ["hierarchy", id],
    message: `Missing required field: ${field}`,
    remedy: `Set ${field} to ${JSON.stringify(value)}.`,
    edits: [{ op: "set", path: ["hierarchy", id, field], value }],
  };
}

function invalidValue(
  code: "INVALID_NODE_TYPE" | "INVALID_STATUS",
  position: readonly [id: string, field: string],
  found: unknown,
  names: readonly string[],
  { meant, value }: { readonly meant: string | undefined; readonly value: string },
): Finding {
  const path = ["hierarchy", ...position];
  return {
    ...{ code, path },
    message: `Invalid ${position[1]} value: ${quote(found)}`,
    remedy: `${useOneOf(found, names, meant)} Fix sets it to ${value}.`,
    edits: [{ op: "set", path, value }],
  };
}

function isOneOf(value: unknown, names: readonly string[]): boolean {
  return (names as readonly unknown[]).includes(value);
}

/** Derives a title from an id, such as "Task 1 2" from `task-1-2`. */
function titleOf(id: string): string {
  const words = id.replaceAll(/[\s_-]+/g, " ").trim();
  return words === "" ? "Untitled" : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
