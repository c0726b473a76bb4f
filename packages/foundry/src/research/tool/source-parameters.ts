import { validationError } from "@foundry-mcp/contract";
import { z } from "zod";
import type { ResearchSource } from "../runs/research-request.ts";

/** What a reader wants to know of a document. */
export const query = () => z.string().max(50_000).optional().describe("Query; what to look for");
/** How many quotes of each document. */
export const snippets = () =>
  z.int().min(1).max(10).optional().describe("Snippets of each source (default: 5)");
/** Whether the configured model is asked. */
export const useModel = () => z.boolean().optional().describe("Use model; the configured one (default: yes)");
/** Files by name: what one types. */
export const paths = () => z.array(z.string()).optional().describe("Paths or addresses");

const documentShape = () => ({
  path: z.string().optional(),
  text: z.string().optional(),
  url: z.string().optional(),
  content_id: z.string().optional(),
  content_type: z.string().optional(),
});

/** One document. */
export const documentSource = () =>
  z.strictObject(documentShape()).describe("One of path, text, url, content_id");

/** Documents, folders and searches. */
export const sources = () =>
  z
    .array(
      z.strictObject({
        ...documentShape(),
        search: z.string().optional().describe("Search provider; folder or web"),
        limit: z.int().min(1).max(1_000).optional(),
      }),
    )
    .optional()
    .describe("One of path, text, url, content_id, search each; a path may be a folder");

/** What was named by path, and what by source, as one list; what looks like an address is one. */
export function toSources(
  named: readonly string[] = [],
  described: readonly ResearchSource[] = [],
  action: "digest" | "digest-batch" | "start" = "digest-batch",
): readonly ResearchSource[] {
  const all = [...named.map(toSource), ...described];
  if (all.length > 0) return all;
  const field = action === "digest" ? "source" : "sources";
  const one = '{"url": "https://…"}';
  throw validationError(
    { field, constraint: "required" },
    {
      message: `Cannot ${action === "start" ? "research" : "digest"} anything: no source is named`,
      remediation: `Name files in paths, such as ["notes.md"], or give ${field}, such as ${field === "source" ? one : `[${one}]`}.`,
    },
  );
}

function toSource(named: string): ResearchSource {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(named) ? { url: named } : { path: named };
}
