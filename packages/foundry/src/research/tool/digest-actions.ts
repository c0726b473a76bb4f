import { validationError } from "@foundry-mcp/contract";
import { action, payload, rows } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import type { DigestBatch } from "./digest-batch.ts";
import type { DigestedSource } from "./digest-source.ts";
import type { Research } from "./research.ts";
import { digestView, verificationView } from "./show-results.ts";
import {
  documentSource,
  includeSource,
  paths,
  query,
  snippets,
  sources,
  toSources,
  useModel,
} from "./source-parameters.ts";
import type { Verification } from "./verify-digest.ts";

const digestParameters = () => ({
  query: query(),
  snippets: snippets(),
  use_model: useModel(),
  include_source: includeSource(),
});
/** The deadline is long, because a model may summarize each of many documents. */
const timeoutMs = 3_700_000;

/** The command-line form of a digest action, which takes paths as arguments. */
const digestCommand = (command: string) => ({
  command,
  arguments: ["paths"],
  literal: ["paths"],
  short: { query: "q" },
  show: viewOf(() => digestView),
});

/** Defines the actions that digest documents and verify digests. */
export function digestActions(open: () => Promise<Research>) {
  return {
    digest: action({
      description:
        "Write a digest of a document: summary, key points, and verifiable quotes that answer the query",
      input: () => z.object({ ...digestParameters(), source: documentSource().optional(), paths: paths() }),
      output: () =>
        payload<DigestedSource | DigestBatch>({
          digest: z.looseObject({}).nullish(),
          confidence: z.enum(["strong", "weak", "none"]).optional(),
          sections: z.array(z.looseObject({ path: z.array(z.string()) })).optional(),
          source: z.looseObject({ content_type: z.string(), content: z.string().optional() }).optional(),
        }),
      openWorld: true,
      idempotent: true,
      timeoutMs,
      cli: digestCommand("research digest"),
      run: async ({ source, paths: named, ...input }, context) => {
        const all = toSources(named, source === undefined ? [] : [source], "digest");
        const [only] = all;
        const research = await open();
        return all.length === 1 && only !== undefined
          ? research.digestOne(only, input, context)
          : research.digestBatch(all, input, context);
      },
    }),
    "digest-batch": action({
      description: "Write digests of many documents, or of all documents in a folder",
      input: () => z.object({ ...digestParameters(), sources: sources(), paths: paths() }),
      output: () =>
        payload<DigestBatch>({
          digested: z.int(),
          short: z.int(),
          failed: z.int(),
          digests: rows({ name: z.string() }),
          failures: rows({ name: z.string(), reason: z.string() }),
        }),
      openWorld: true,
      idempotent: true,
      task: "optional",
      timeoutMs,
      cli: digestCommand("research digest-batch"),
      run: async ({ sources: given, paths: named, ...input }, context) =>
        (await open()).digestBatch(toSources(named, given), input, context),
    }),
    verify: action({
      description: "Check every quote of a digest or of a report against its source",
      input: () =>
        z.object({
          digest: z
            .union([z.string(), z.looseObject({})])
            .optional()
            .describe("Digest, or an answer that contains a digest"),
          source: documentSource().optional(),
          research_id: z
            .string()
            .optional()
            .describe("Verify the report of this research run instead of a digest"),
        }),
      output: () => payload<Verification>({ verified: z.boolean(), checked: z.int() }),
      readOnly: true,
      openWorld: true,
      timeoutMs,
      cli: {
        command: "research verify",
        arguments: ["digest"],
        files: ["digest"],
        show: viewOf(() => verificationView, { failures: true }),
      },
      run: async ({ digest, source, research_id }, context) => {
        if ((digest === undefined) === (research_id === undefined)) throw requiresOne();
        if (research_id !== undefined && source !== undefined) throw excludesSource();
        const research = await open();
        return research_id === undefined
          ? research.verifyDigest(digest, source, context)
          : research.verifyReport(research_id, context);
      },
    }),
  };
}

function requiresOne(): Error {
  return validationError(
    { field: "digest", constraint: "required" },
    {
      message: "Cannot verify: give either digest or research_id",
      remediation:
        "Pass the member digest of an answer, or the id of a research whose report is to be checked.",
    },
  );
}

function excludesSource(): Error {
  return validationError(
    { field: "source", constraint: "exclusive" },
    {
      message: "Cannot verify a report against a source: it cites many",
      remediation: "Leave out source: the texts that were kept are what the report is checked against.",
    },
  );
}
