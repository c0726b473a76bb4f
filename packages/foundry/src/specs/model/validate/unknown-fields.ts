import { isRecord } from "@foundry-mcp/contract";
import { nodeFields, nodeMetadataFields, specFields, specMetadataFields } from "../known-values.ts";
import { nearestName } from "../nearest-name.ts";
import type { SpecCheck } from "./check-context.ts";
import { quote } from "./quote.ts";

/**
 * The maximum number of unknown names that are compared. A file with more unknown names has other problems
 * than spelling errors.
 */
const maxNames = 1000;

/** Checks for misspelt field names. Other unknown names are allowed. */
export const checkUnknownFields: SpecCheck = ({ document, nodes }, add) => {
  const inSpec = createSpelling(specFields);
  const inMetadata = createSpelling(specMetadataFields);
  const inNode = createSpelling(nodeFields);
  const inNodeMetadata = createSpelling(nodeMetadataFields);
  const check = (record: unknown, path: readonly string[], spelling: Spelling) => {
    if (!isRecord(record)) return;
    for (const field of Object.keys(record)) {
      const near = spelling(field);
      // If the known name is also present, the unknown name is not a spelling error of it.
      if (near === undefined || Object.hasOwn(record, near)) continue;
      add({
        code: "UNKNOWN_FIELD",
        path: [...path, field],
        message: `Unknown field: ${quote(field)}`,
        remedy: `Did you mean ${near}?`,
      });
    }
  };
  check(document, [], inSpec);
  check(document["metadata"], ["metadata"], inMetadata);
  for (const [id, node] of nodes) {
    check(node, ["hierarchy", id], inNode);
    check(node["metadata"], ["hierarchy", id, "metadata"], inNodeMetadata);
  }
};

type Spelling = (field: string) => string | undefined;

/**
 * Creates a function that returns the known name nearest to an unknown name. Each name is compared only once.
 */
function createSpelling(known: readonly string[]): Spelling {
  const isKnown = new Set(known);
  const seen = new Map<string, string | undefined>();
  return (field) => {
    if (isKnown.has(field)) return undefined;
    if (!seen.has(field) && seen.size < maxNames) seen.set(field, nearestName(field, known));
    return seen.get(field);
  };
}
