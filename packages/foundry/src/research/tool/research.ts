import type { Context } from "@foundry-mcp/toolkit";
import { toContractError } from "../documents/document-failures.ts";
import type { DocumentSource } from "../documents/document-source.ts";
import { UnusableDocument } from "../documents/unusable-document.ts";
import type { ResearchDesk } from "../runs/research-desk.ts";
import type { ResearchReport } from "../runs/research-report.ts";
import type { ResearchSource } from "../runs/research-request.ts";
import { nameOf } from "../runs/source-name.ts";
import { toMarkdown } from "../runs/to-markdown.ts";
import { type DigestedMany, digestMany } from "./digest-many.ts";
import { type DigestedSource, type DigestWishes, digestSource } from "./digest-source.ts";
import { readDigest } from "./read-digest.ts";
import type { ResearchEngine } from "./research-engine.ts";
import { type Verification, verifyDigest, verifyReport } from "./verify-digest.ts";

/** What the actions of `research` do, all of it in one place that is loaded when it is first needed. */
export interface ResearchCalls {
  digestOne(source: DocumentSource, wishes: DigestWishes, context: Context): Promise<DigestedSource>;
  digestMany(
    sources: readonly ResearchSource[],
    wishes: DigestWishes,
    context: Context,
  ): Promise<DigestedMany>;
  verifyDigest(digest: unknown, source: DocumentSource | undefined, context: Context): Promise<Verification>;
  verifyReport(researchId: string, context: Context): Promise<Verification>;
  toMarkdown(report: ResearchReport): string;
  /** Where researches are run and kept; throws a ContractError where there is no place for them. */
  desk(): Promise<ResearchDesk>;
  /** True where this process ends with the call, so that nothing can go on behind it. */
  readonly isBrief: boolean;
}

/** Opens what the actions do when one of them is first called. */
export interface Researching {
  calls(): Promise<ResearchCalls>;
}

/** Creates the calls on an engine. */
export function createResearchCalls(engine: ResearchEngine): ResearchCalls {
  return {
    digestOne: (source, wishes, context) =>
      explained(nameOf(source), digestSource(engine, source, wishes, context)),
    digestMany: (sources, wishes, context) => digestMany(engine, sources, wishes, context),
    verifyDigest: (digest, source, context) =>
      explained(
        source === undefined ? "digest" : nameOf(source),
        verifyDigest(engine, readDigest(digest), source, context),
      ),
    verifyReport: async (id, context) =>
      verifyReport(engine, await (await engine.desk()).report(id, context), context),
    toMarkdown,
    desk: () => engine.desk(),
    isBrief: engine.isBrief,
  };
}

/** A document that cannot be used, told as callers are told of everything. */
async function explained<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (err) {
    throw err instanceof UnusableDocument ? toContractError(err, name) : err;
  }
}
