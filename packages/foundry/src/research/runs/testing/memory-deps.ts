import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ContractError } from "@foundry-mcp/contract";
import { onTestFinished } from "vitest";
import { type DigestedDocument, digestDocument } from "../../documents/digest-document.ts";
import { UnusableDocument } from "../../documents/unusable-document.ts";
import type { ResearchCaller, RunDeps } from "../run-deps.ts";

/** A caller. */
export const ada: ResearchCaller = { principal: "ada", requestId: "req_1" };
/** A caller with another principal. */
export const bob: ResearchCaller = { principal: "bob", requestId: "req_2" };

/** Dependencies that read documents from memory and record their calls. */
export interface MemoryDeps extends RunDeps {
  /** The paths that were loaded, in order. */
  readonly loaded: string[];
  /** Archived texts by hash. */
  readonly archived: Map<string, string>;
}

/** Creates dependencies. The folder of runs is deleted after the test. A path that ends with a slash is a folder. */
export async function createMemoryDeps(
  documents: Readonly<Record<string, string>>,
  own: Partial<RunDeps> = {},
): Promise<MemoryDeps> {
  const parent = await mkdtemp(join(tmpdir(), "foundry-research-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const loaded: string[] = [];
  const archived = new Map<string, string>();
  return {
    folder: join(parent, "research"),
    loaded,
    archived,
    async expand(source) {
      const { path, search } = source;
      if (search === "broken")
        throw new ContractError("Cannot search", {
          errorCode: "DEPENDENCY_UNAVAILABLE",
          remediation: "Mend it.",
        });
      if (!path?.endsWith("/")) return { documents: [{ source }], problems: [] };
      const paths = Object.keys(documents).filter((each) => each.startsWith(path));
      return {
        documents: paths.filter((each) => !each.endsWith(".png")).map((each) => ({ source: { path: each } })),
        problems: paths
          .filter((each) => each.endsWith(".png"))
          .map((name) => ({ name, reason: "not_a_document", error: "It is a picture" })),
      };
    },
    async load({ path, text }) {
      const content = text ?? documents[path ?? ""];
      if (path !== undefined) loaded.push(path);
      if (content === undefined) throw new UnusableDocument("not_found", "It is not there");
      return { bytes: Buffer.from(content), name: path ?? "text.txt" };
    },
    digest: (document, options, signal) => digestDocument(document, options, signal),
    async archive({ hash, text }: DigestedDocument) {
      archived.set(hash, Buffer.from(text).toString("utf8"));
      return true;
    },
    ...own,
  };
}

/** Returns a text of sentences about a subject. The first sentence answers a question about this subject. */
export function textAbout(subject: string, sentences = 12): string {
  const rest = Array.from(
    { length: sentences - 1 },
    (_, at) => `Paragraph ${at + 1} of this page tells at length of other matters that nobody asked about.`,
  );
  return [`The tide at ${subject} is highest two days after the full moon of spring.`, ...rest].join(" ");
}
