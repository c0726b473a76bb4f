import { ContractError } from "@foundry-mcp/contract";
import type { Context } from "@foundry-mcp/toolkit";
import type { ContentArchive } from "@foundry-mcp/toolkit/archive";
import { pluralize } from "@foundry-mcp/toolkit/cli";
import { createDigestPool, type DigestPool } from "../documents/digest-pool.ts";
import { toContractError } from "../documents/document-failures.ts";
import { listDocuments } from "../documents/list-documents.ts";
import type { DocumentSource } from "../documents/load-document.ts";
import { createDocumentLoader, type DocumentLoader, type LoaderOptions } from "../documents/load-document.ts";
import { UnusableDocument } from "../documents/unusable-document.ts";
import type { ModelOptions } from "../model/chat-request.ts";
import { ModelFailure } from "../model/model-failure.ts";
import { writeSummary } from "../model/write-summary.ts";
import { reportToMarkdown } from "../runs/report-to-markdown.ts";
import type { ResearchReport } from "../runs/research-report.ts";
import type { ResearchSource } from "../runs/research-request.ts";
import { createResearchRuns, type ResearchRuns } from "../runs/research-runs.ts";
import type { RunDeps, SourceReader } from "../runs/run-deps.ts";
import type { RunsFolder } from "../runs/run-folder.ts";
import { sourceName } from "../runs/source-name.ts";
import { expandSource } from "../search/expand-source.ts";
import { createSearchProviders } from "../search/search-providers.ts";
import { type DigestBatch, digestBatch } from "./digest-batch.ts";
import { type DigestedSource, type DigestInput, digestSource } from "./digest-source.ts";
import { fitQuotes } from "./fit-quotes.ts";
import { parseDigest } from "./parse-digest.ts";
import { storeText } from "./text-archive.ts";
import { type Verification, verifyDigest, verifyReport } from "./verify-digest.ts";

/** The operations behind the actions of the tool `research`. */
export interface Research {
  digestOne(source: DocumentSource, input: DigestInput, context: Context): Promise<DigestedSource>;
  digestBatch(sources: readonly ResearchSource[], input: DigestInput, context: Context): Promise<DigestBatch>;
  verifyDigest(digest: unknown, source: DocumentSource | undefined, context: Context): Promise<Verification>;
  verifyReport(researchId: string, context: Context): Promise<Verification>;
  reportToMarkdown(report: ResearchReport): string;
  /** Returns the research runs. Throws a ContractError if there is no folder for runs. */
  runs(): Promise<ResearchRuns>;
  /** True if the process ends after the call, so that a run cannot continue in the background. */
  readonly isOneShot: boolean;
  /** Interrupts the runs of this process and ends its worker threads. */
  close(): Promise<void>;
}

/** Configuration of {@link openResearch}. */
export interface ResearchOptions {
  /** Defines the files and addresses that may be read. */
  readonly documents: Omit<LoaderOptions, "archive">;
  /**
   * Defines the files and addresses that a resumed run may read.
   * @default the value of `documents`
   */
  readonly resumedDocuments?: Omit<LoaderOptions, "archive"> | undefined;
  /** The archive for canonical texts, against which quotes are verified. */
  readonly archive: ContentArchive;
  /**
   * The model that writes summaries. Without a model, summaries are extracted.
   * @default none
   */
  readonly model?: ModelOptions | undefined;
  /**
   * The address of a SearXNG server. Without an address, there is no search provider `web`.
   * @default none
   */
  readonly searchUrl?: string | undefined;
  /** Returns the folder of all runs. Throws a ContractError if there is none. */
  readonly runsFolder: () => Promise<RunsFolder>;
  readonly isOneShot: boolean;
}

/** The dependencies of digests and verifications. */
export interface DigestDeps extends Pick<RunDeps, "expand"> {
  readonly load: DocumentLoader;
  readonly pool: DigestPool;
  readonly archive: ContentArchive;
  readonly model: ModelOptions | undefined;
}

/** Opens research. Files are read and threads are started only by the first operation. */
export function openResearch(options: ResearchOptions): Research {
  const { documents, resumedDocuments, archive, model, searchUrl, runsFolder, isOneShot } = options;
  const pool = createDigestPool();
  const createReader = (access: ResearchOptions["documents"]): SourceReader => {
    const sources = {
      list: (path: string) => listDocuments(path, access),
      ...createSearchProviders(access, pool, searchUrl),
    };
    return {
      load: createDocumentLoader({ ...access, archive }),
      expand: (source, question, signal) => expandSource(source, question, sources, signal),
    };
  };
  const { expand, load } = createReader(documents);
  const deps: DigestDeps = { expand, load, pool, archive, model };
  let opening: Promise<ResearchRuns> | undefined;
  const openRuns = async () =>
    createResearchRuns({
      ...(await runsFolder()),
      expand,
      load,
      resumed: resumedDocuments === undefined ? undefined : createReader(resumedDocuments),
      digest: (document, digestOptions, signal) => pool.digest(document, digestOptions, signal),
      archive: (document, caller) => storeText(archive, document, { ...caller, action: "start" }),
      summarize: model === undefined ? undefined : createSummarizer(model),
    });
  const runs = () => {
    // A failure is not cached, because a folder that is missing now may exist at the next call.
    opening ??= openRuns().catch((err: unknown) => {
      opening = undefined;
      throw err;
    });
    return opening;
  };
  return {
    digestOne: async (source, input, context) => {
      const work = digestSource(deps, source, input, context);
      const { digested, dropped } = fitQuotes(
        await withContractErrors(sourceName(source), work),
        context.maxTokens,
      );
      if (dropped > 0)
        context.warn(
          `${pluralize(dropped, "quote")} left out, so that the answer fits into ${context.maxTokens} tokens`,
        );
      return digested;
    },
    digestBatch: (all, input, context) => digestBatch(deps, all, input, context),
    verifyDigest: (digest, source, context) =>
      withContractErrors(
        source === undefined ? "digest" : sourceName(source),
        verifyDigest(deps, parseDigest(digest), source, context),
      ),
    verifyReport: async (id, context) =>
      verifyReport(archive, await (await runs()).report(id, context), context),
    reportToMarkdown,
    runs,
    isOneShot,
    async close() {
      await (await opening)?.close();
      await pool.close();
    },
  };
}

async function withContractErrors<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (err) {
    throw err instanceof UnusableDocument ? toContractError(err, name) : err;
  }
}

function createSummarizer(model: ModelOptions): NonNullable<RunDeps["summarize"]> {
  return async (question, claims, signal) => {
    try {
      return await writeSummary(model, { question, claims }, signal);
    } catch (err) {
      if (!(err instanceof ModelFailure)) throw err;
      throw new ContractError(err.message, {
        errorCode: "DEPENDENCY_UNAVAILABLE",
        details: { dependency: "model", reason: err.reason },
      });
    }
  };
}
