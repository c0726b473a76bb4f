import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseLocator } from "@foundry-mcp/contract/digest";
import { openStdioServer } from "../specs/stdio-server.ts";
import type { LoadedSet } from "./load-sets.ts";
import { type Confidence, countTokens, type Ranker } from "./ranker.ts";

/** The result of a call as a client receives it. */
interface CallResult {
  readonly content: readonly { readonly text: string }[];
}

/** The part of a digest's answer that is judged. */
interface Answer {
  readonly data: {
    readonly digest: { readonly evidence_snippets: readonly { readonly locator: string }[] } | null;
    readonly confidence?: Confidence;
  };
}

/** The research tool of a `foundry-mcp` process, which is asked with default parameters. */
export interface DigestRanker extends Ranker {
  close(): Promise<void>;
}

/** Starts `foundry-mcp` in a folder with the documents. */
export async function openDigestRanker(sets: readonly LoadedSet[]): Promise<DigestRanker> {
  const folder = await mkdtemp(join(tmpdir(), "research-bench-"));
  await mkdir(join(folder, "specs"));
  for (const { document, bytes } of sets) await writeFile(join(folder, document.file), bytes);
  const server = await openStdioServer(folder, ["--tools", "all"]);
  return {
    name: "digest",
    async rank(question, { document }) {
      const result = await server.call("research", {
        action: "digest",
        query: question,
        source: { path: document.file },
      });
      const text = (result as CallResult).content.map((part) => part.text).join("\n");
      const { digest, confidence } = (JSON.parse(text) as Answer).data;
      const snippets = digest?.evidence_snippets ?? [];
      return {
        passages: snippets.map(({ locator }) => parseLocator(locator)),
        confidence,
        tokens: countTokens(text),
      };
    },
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
