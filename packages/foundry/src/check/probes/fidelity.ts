import { createHash } from "node:crypto";
import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { tokensOver } from "../judge/count-tokens.ts";
import { operationsOf } from "../observe/definition.ts";
import { evidenceOf } from "../observe/evidence.ts";
import { isAnswered, type Observation } from "../observe/observation.ts";
import type { Baseline, ProbeDeps } from "./probe.ts";

/** The number of tokens above which an answer is requested again with max_tokens. */
const longAnswerTokens = 1_200;
const smallBudget = 600;
const maxIds = 100;
const maxArchives = 3;
const maxPages = 200;

/** Requests a long answer again with a small max_tokens, if the tool has that parameter. */
export async function probeBudget(
  { operation, args, observation }: Baseline,
  deps: ProbeDeps,
): Promise<void> {
  const { session, ledger } = deps;
  const isOffered = operation.definition.parameters.some(({ name }) => name === "max_tokens");
  if (!isOffered || !session.isCallable(operation.tool)) return;
  if ((await tokensOver(observation.text ?? "", longAnswerTokens)) === undefined) return;
  const reduced = await session.call(operation.tool, { ...args, max_tokens: smallBudget });
  if (!isAnswered(reduced) || reduced.text === undefined) return;
  const details: unknown = reduced.envelope?.meta.warning_details;
  // A server that cannot archive may send up to twice the budget if a warning says so.
  const isFallback =
    Array.isArray(details) && details.some((each) => isRecord(each) && each["code"] === "FALLBACK_USED");
  const allowed = isFallback ? 2 * smallBudget : smallBudget;
  const tokens = reduced.outcome === "failure" ? undefined : await tokensOver(reduced.text, allowed);
  const message = `max_tokens is ${smallBudget}, and the answer takes ${tokens?.toLocaleString("en")} tokens`;
  ledger.record("MCP-53", tokens === undefined ? undefined : evidenceOf(reduced, message));
}

/** Checks that the content left out of an answer can be fetched. */
export async function probeDropped(observation: Observation, deps: ProbeDeps): Promise<void> {
  const { ids, hashes } = droppedOf(observation);
  if (ids.length === 0 && hashes.length === 0) return;
  const { ledger } = deps;
  const fetch = contentFetcher(deps);
  if (typeof fetch === "string") {
    if (fetch === "missing")
      ledger.fail(
        "MCP-51",
        evidenceOf(observation, "something was dropped, and there is no tool content to fetch it"),
      );
    else for (const rule of ["MCP-51", "MCP-52"] as const) ledger.skip(rule, fetch);
    return;
  }
  for (const id of ids.slice(0, maxIds)) {
    const fetched = await fetch({ content_id: id });
    if (fetched === undefined) return;
    const message = `"${id}" was dropped and cannot be fetched`;
    ledger.record("MCP-51", fetched.outcome === "success" ? undefined : evidenceOf(fetched, message));
  }
  for (const [archive, hash] of hashes.slice(0, maxArchives)) {
    await checkArchive(archive, hash, fetch, deps);
  }
}

/** Returns what an answer reports as left out: content ids, and archive ids with their hashes. */
export function droppedOf({ envelope }: Observation): {
  readonly ids: readonly string[];
  readonly hashes: readonly (readonly [string, string])[];
} {
  const { dropped_content_ids: ids, content_archive_hashes: hashes } = (envelope?.meta ??
    {}) as UnknownRecord;
  const isText = (value: unknown): value is string => typeof value === "string";
  const entries = isRecord(hashes) ? Object.entries(hashes) : [];
  return {
    ids: Array.isArray(ids) ? ids.filter(isText) : [],
    hashes: entries.filter((entry): entry is [string, string] => isText(entry[1])),
  };
}

type Fetch = (args: UnknownRecord) => Promise<Observation | undefined>;

/**
 * Returns a function that fetches content that was left out, or a text with the reason why fetching is impossible,
 * such as "missing".
 */
function contentFetcher({ tools, session }: ProbeDeps): Fetch | string {
  const content = tools.find(({ name }) => name === "content");
  if (content === undefined) return "missing";
  const get = operationsOf(content).find(({ action }) => action === undefined || action === "get");
  if (get?.isReadOnly !== true) return "the tool content does not say that get is read-only";
  const action = get.action === undefined ? {} : { action: get.action };
  return async (args) =>
    session.isCallable("content") ? session.call("content", { ...action, ...args }) : undefined;
}

async function checkArchive(id: string, hash: string, fetch: Fetch, { ledger }: ProbeDeps): Promise<void> {
  const texts: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const fetched = await fetch({ archive_id: id, ...(cursor === undefined ? {} : { cursor }) });
    if (fetched === undefined) return;
    const text = fetched.envelope?.success ? fetched.envelope.data["text"] : undefined;
    if (typeof text !== "string") {
      ledger.fail("MCP-51", evidenceOf(fetched, `the archive "${id}" cannot be fetched as text`));
      return;
    }
    texts.push(text);
    const { pagination } = fetched.envelope?.meta ?? {};
    if (pagination?.has_more !== true || typeof pagination.cursor !== "string") {
      const found = `sha256:${createHash("sha256").update(texts.join("")).digest("hex")}`;
      const message = `the archive "${id}" is said to have the hash ${hash}, and has ${found}`;
      ledger.record("MCP-52", found === hash ? undefined : evidenceOf(fetched, message));
      return;
    }
    cursor = pagination.cursor;
  }
  ledger.skip("MCP-52", `the archive "${id}" has more than ${maxPages} pages`);
}
