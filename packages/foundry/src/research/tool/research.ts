import { ContractError } from "@foundry-mcp/contract";
import type { Context } from "@foundry-mcp/toolkit";
import type { ContentArchive } from "@foundry-mcp/toolkit/archive";
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
  /** The research runs; throws a ContractError where there is no folder for them. */
  runs(): Promise<ResearchRuns>;
  /** True where the process ends with the call, so that no run can continue in the background. */
  readonly isOneShot: boolean;
  /** Interrupts the runs of this process and ends its worker threads. */
  close(): Promise<void>;
}

/** Configuration of {@link openResearch}. */
export interface ResearchOptions {
  /** Which files and addresses may be read. */
  readonly documents: Omit<LoaderOptions, "archive">;
  /** The same for sources that a stored run names. @default the same */
  readonly resumedDocuments?: Omit<LoaderOptions, "archive"> | undefined;
  /** Stores canonical texts, against which quotes are verified. */
  readonly archive: ContentArchive;
  /** The model that writes summaries. @default none: summaries are extracted */
  readonly model?: ModelOptions | undefined;
  /** The address of a SearXNG server. @default none: there is no search provider `web` */
  readonly searchUrl?: string | undefined;
  /** Returns the folder of all runs; throws a ContractError where there is none. */
  readonly runsFolder: () => Promise<RunsFolder>;
  readonly isOneShot: boolean;
}

/** What digests and verifications depend on. */
export interface DigestDeps extends Pick<RunDeps, "expand"> {
  readonly load: DocumentLoader;
  readonly pool: DigestPool;
  readonly archive: ContentArchive;
  readonly model: ModelOptions | undefined;
}

/** Opens research. Nothing is read or started before the first operation. */
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
    // A folder that is missing now may exist at the next call.
    opening ??= openRuns().catch((err: unknown) => {
      opening = undefined;
      throw err;
    });
    return opening;
  };
  return {
    digestOne: (source, input, context) =>
      withContractErrors(sourceName(source), digestSource(deps, source, input, context)),
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
