import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import type { CompatibleParameter } from "@foundry-mcp/toolkit";
import { always, atLeastOne, fromJsonText, ignored, only } from "./parameters.ts";
import { row, without } from "./row.ts";

const noModels =
  "Foundry does not consult models, because the caller is a model itself. Read sources with the actions digest and start of research.";
const noNodes =
  "A research task is handled like any other task: start the task, read sources with the action start of research, and complete the task with a note.";

/**
 * The fields in which the Python server records the result of a research task. This server stores all of them in one
 * journal entry of the task.
 */
const findingFields = ["result", "summary", "key_insights", "recommendations", "sources", "confidence"];

/** A source may be an object with an address and a title. */
const toTexts = (found: unknown): readonly string[] => {
  if (typeof found === "string") return [found];
  return isRecord(found) ? [JSON.stringify(found)] : [];
};

const toFindings: CompatibleParameter = (_, given) => {
  const lines = findingFields.flatMap((name) => {
    const found = fromJsonText(given[name]);
    const texts = (Array.isArray(found) ? found : [found]).flatMap(toTexts);
    return texts.length === 0 ? [] : [`${name}: ${texts.join("; ")}`];
  });
  return lines.length === 0 ? "Pass result and summary as strings." : { content: lines.join("\n") };
};

/** True if a call names the sources of its research. */
const hasSources = ({ paths, sources }: UnknownRecord) => paths !== undefined || sources !== undefined;

/**
 * Returns the parameter `query`. The Python server finds sources by itself, so a call that names none searches with
 * the given provider.
 */
export const toQuestion =
  (provider: "folder" | "web"): CompatibleParameter =>
  (question, given) => ({ question, ...(hasSources(given) ? {} : { sources: [{ search: provider }] }) });

/** Returns the sentences that apply to a call, or undefined if none applies. */
const sentences = (texts: readonly (string | false)[]): string | undefined =>
  texts.filter((text) => text !== false).join(" ") || undefined;

const research = [
  {
    ...row("research", "deep-research", ["research", "start"], {
      query: "question",
      deep_research_action: only("start", "Use the actions resume and cancel of research."),
      max_sources_per_query: "max_sources",
      // This server makes one pass with one query, so it stays within every limit of passes and queries.
      max_iterations: atLeastOne,
      max_sub_queries: atLeastOne,
      follow_links: ignored,
    }),
    warn: (given: UnknownRecord) =>
      sentences([
        !hasSources(given) &&
          "No source is named: the web is searched if the setting search_url names a search server, and the documents of the workspace otherwise; name sources with paths or sources.",
        given["follow_links"] === true && "Links in sources are not followed: pass each address in sources.",
      ]),
  },
  ...["resume", "cancel"].map((action) => ({
    ...row("research", "deep-research", ["research", action], { deep_research_action: always }),
    when: { deep_research_action: action },
  })),
  {
    ...row("research", "deep-research-status", ["research", "status"], {
      wait: ignored,
      wait_timeout: always,
    }),
    warn: ({ wait }: UnknownRecord) =>
      wait === true ? "The status is returned at once: call the action again later" : undefined,
  },
  {
    ...row("research", "deep-research-list", ["research", "list"], { completed_only: ignored }),
    warn: ({ completed_only: isSelected }: UnknownRecord) =>
      isSelected === true ? "Research runs in every state are listed, each with its state" : undefined,
  },
  ...["report", "delete"].map((action) => row("research", `deep-research-${action}`, ["research", action])),
  ...without(
    "research",
    ["chat", "consensus", "thinkdeep", "ideate", "thread-list", "thread-get", "thread-delete"],
    noModels,
  ),
  row("research", "node-status", ["task", "info"], { research_node_id: "task_id" }),
  row("research", "node-findings", ["journal", "list"], { research_node_id: "task_id" }),
  row(
    "research",
    "node-record",
    ["journal", "add"],
    {
      research_node_id: "task_id",
      session_id: always,
      ...Object.fromEntries(findingFields.map((name) => [name, toFindings])),
    },
    { title: "Research", entry_type: "note" },
  ),
  ...without("research", ["node-execute"], noNodes),
  row("research", "extract", ["research", "digest-batch"], { urls: "paths" }),
];

/** Calls of the tools `research` and `provider` of the Python server. */
export const researchCalls = [
  ...research,
  // Every listed provider is available, so `include_unavailable` changes nothing.
  row("provider", "list", ["provider", "list"], { include_unavailable: always }),
  ...without("provider", ["execute"], noModels),
];
