import type { ContentArchive } from "@foundry-mcp/toolkit/archive";
import type { DigestPool } from "../documents/digest-pool.ts";
import type { DocumentSource } from "../documents/document-source.ts";
import type { FoundDocument } from "../documents/read-document.ts";
import type { ModelOptions } from "../model/model-options.ts";
import type { ResearchDesk } from "../runs/research-desk.ts";
import type { ResearchSource } from "../runs/research-request.ts";
import type { ExpandedSource } from "../runs/research-services.ts";

/** What digests and researches are made with. */
export interface ResearchEngine {
  /** The documents that a source stands for. */
  expand(source: ResearchSource, question: string, signal: AbortSignal): Promise<ExpandedSource>;
  /** A document; throws an UnusableDocument where it cannot be had. */
  find(source: DocumentSource, principal: string, signal: AbortSignal): Promise<FoundDocument>;
  readonly pool: DigestPool;
  /** Where canonical texts are kept. */
  readonly archive: ContentArchive;
  /** What writes summaries; undefined where they are extracted. */
  readonly model: ModelOptions | undefined;
  /** Where researches are run and kept; throws a ContractError where there is no place for them. */
  desk(): Promise<ResearchDesk>;
  /** True where this process ends with the call, so that nothing can go on behind it. */
  readonly isBrief: boolean;
}
