import type { FieldError } from "@foundry-mcp/contract";
import { nearest } from "@foundry-mcp/contract/input";
import { toFieldPath } from "./config-errors.ts";

/**
 * Keys that clients write into entries for themselves. Such a key says how the client treats a server and not how the
 * server is started, so the key is ignored.
 */
const clientKeys: ReadonlySet<string> = new Set([
  ...["name", "displayName", "description", "icon", "version", "gallery", "tags", "metadata", "$comment"],
  ...["enabled", "disabled", "isActive", "trust", "autoApprove", "alwaysAllow", "alwaysLoad", "autoStart"],
  ...[
    "tools",
    "includeTools",
    "excludeTools",
    "disabledTools",
    "enabledTools",
    "enabled_tools",
    "disabled_tools",
  ],
  ...[
    "timeout",
    "startupTimeout",
    "startup_timeout_sec",
    "tool_timeout_sec",
    "initTimeout",
    "transport",
    "transportType",
  ],
  ...["dev", "watch", "sandbox", "oauth", "auth", "scope", "source", "provider", "registry", "gateway"],
]);

/** Returns the problems of keys of an entry that neither start the server nor belong to a client, such as `arg`. */
export function findUnknownKeys(
  entry: object,
  path: readonly string[],
  known: readonly string[],
): readonly FieldError[] {
  return Object.keys(entry)
    .filter((key) => !known.includes(key) && !clientKeys.has(key))
    .map((key) => {
      const field = toFieldPath([...path, key]);
      const guess = nearest(key, known);
      const hint = guess === undefined ? `the keys are ${known.join(", ")}` : `did you mean ${guess}?`;
      return { field, constraint: "unknown", message: `${field} is not a known key; ${hint}` };
    });
}
