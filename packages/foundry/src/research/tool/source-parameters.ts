import { validationError } from "@foundry-mcp/contract";
import { z } from "zod";
import type { ResearchSource } from "../runs/research-request.ts";

/** The query of a digest. */
export const query = () =>
  z.string().max(50_000).optional().describe("Question or words by which quotes are selected");
/** The maximum number of quotes of each document. */
export const snippets = () =>
  z.int().min(1).max(10).optional().describe("Maximum quotes per source (default: 5)");
/** True if the configured model writes the summary. */
export const useModel = () =>
  z.boolean().optional().describe("Let the configured model write the summary (default: true)");
/** True if the digest is also returned as JSON text, which a caller can store instead of the document. */
export const includeSource = () =>
  z.boolean().optional().describe("Also return the digest as JSON text in content");
/** Paths or URLs, as users type them on the command line. */
export const paths = () => z.array(z.string()).optional().describe("Paths or URLs");

const documentShape = () => ({
  path: z.string().optional(),
  text: z.string().optional(),
  url: z.string().optional(),
  content_id: z.string().optional(),
  content_type: z.string().optional(),
});

/** A source that is one document. */
export const documentSource = () =>
  z.strictObject(documentShape()).describe("Exactly one of path, text, url, content_id");

/** Sources that are documents, folders or searches. */
export const sources = () =>
  z
    .array(
      z.strictObject({
        ...documentShape(),
        search: z.string().optional().describe("Search provider: folder or web"),
        limit: z.int().min(1).max(1_000).optional(),
      }),
    )
    .optional()
    .describe("Each with one of path, text, url, content_id, search; a path may be a folder");

/** Joins paths and sources to one list of sources. A path that looks like a URL is treated as a URL. */
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
