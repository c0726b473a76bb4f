import { createHash } from "node:crypto";
import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import { tokensOver } from "../judge/count-tokens.ts";
import { subjectsOf } from "../observe/definition.ts";
import { evidenceOf } from "../observe/evidence.ts";
import { isAnswered, type Observation } from "../observe/observation.ts";
import type { Base, Probing } from "./probe.ts";

/** An answer of more tokens than this is asked for again in less. */
const worthReducing = 1_200;
const smallBudget = 600;
const mostIds = 100;
const mostArchives = 3;
const mostPages = 200;

/** Asks for a long answer in few tokens, where the tool offers that. */
export async function probeBudget({ subject, args, observation }: Base, probing: Probing): Promise<void> {
  const { session, ledger } = probing;
  const isOffered = subject.definition.parameters.some(({ name }) => name === "max_tokens");
  if (!isOffered || !session.answers(subject.tool)) return;
  if ((await tokensOver(observation.text ?? "", worthReducing)) === undefined) return;
  const reduced = await session.call(subject.tool, { ...args, max_tokens: smallBudget });
  if (!isAnswered(reduced) || reduced.text === undefined) return;
  const details: unknown = reduced.envelope?.meta.warning_details;
  // What can be kept nowhere may be sent whole, up to twice the budget, where it says so.
  const isFallback =
    Array.isArray(details) && details.some((each) => isRecord(each) && each["code"] === "FALLBACK_USED");
  const allowed = isFallback ? 2 * smallBudget : smallBudget;
  const tokens = reduced.outcome === "failure" ? undefined : await tokensOver(reduced.text, allowed);
  const message = `max_tokens is ${smallBudget}, and the answer takes ${tokens?.toLocaleString("en")} tokens`;
  ledger.hold("MCP-53", tokens === undefined ? undefined : evidenceOf(reduced, message));
}

/** Fetches what an answer left out. */
export async function probeDropped(observation: Observation, probing: Probing): Promise<void> {
  const { ids, hashes } = droppedOf(observation);
  if (ids.length === 0 && hashes.length === 0) return;
  const { ledger } = probing;
  const way = wayToFetch(probing);
  if (typeof way === "string") {
    if (way === "missing")
      ledger.break(
        "MCP-51",
        evidenceOf(observation, "something was dropped, and there is no tool content to fetch it"),
      );
    else for (const rule of ["MCP-51", "MCP-52"] as const) ledger.skip(rule, way);
    return;
  }
  for (const id of ids.slice(0, mostIds)) {
    const fetched = await way({ content_id: id });
    if (fetched === undefined) return;
    const message = `"${id}" was dropped and cannot be fetched`;
    ledger.hold("MCP-51", fetched.outcome === "success" ? undefined : evidenceOf(fetched, message));
  }
  for (const [archive, hash] of hashes.slice(0, mostArchives)) {
    await checkArchive(archive, hash, way, probing);
  }
}

/** What an answer says it left out: ids, and archives with their hashes. */
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

/** How dropped content is fetched; a text where it cannot be. */
function wayToFetch({ tools, session }: Probing): Fetch | string {
  const content = tools.find(({ name }) => name === "content");
  if (content === undefined) return "missing";
  const get = subjectsOf(content).find(({ action }) => action === undefined || action === "get");
  if (get?.isReadOnly !== true) return "the tool content does not say that get is read-only";
  const action = get.action === undefined ? {} : { action: get.action };
  return async (args) =>
    session.answers("content") ? session.call("content", { ...action, ...args }) : undefined;
}

async function checkArchive(id: string, hash: string, fetch: Fetch, { ledger }: Probing): Promise<void> {
  const texts: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const fetched = await fetch({ archive_id: id, ...(cursor === undefined ? {} : { cursor }) });
    if (fetched === undefined) return;
    const text = fetched.envelope?.success ? fetched.envelope.data["text"] : undefined;
    if (typeof text !== "string") {
      ledger.break("MCP-51", evidenceOf(fetched, `the archive "${id}" cannot be fetched as text`));
      return;
    }
    texts.push(text);
    const { pagination } = fetched.envelope?.meta ?? {};
    if (pagination?.has_more !== true || typeof pagination.cursor !== "string") {
      const found = `sha256:${createHash("sha256").update(texts.join("")).digest("hex")}`;
      const message = `the archive "${id}" is said to have the hash ${hash}, and has ${found}`;
      ledger.hold("MCP-52", found === hash ? undefined : evidenceOf(fetched, message));
      return;
    }
    cursor = pagination.cursor;
  }
  ledger.skip("MCP-52", `the archive "${id}" has more than ${mostPages} pages`);
}
