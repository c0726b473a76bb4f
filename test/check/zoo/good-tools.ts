import { contentTool } from "./content-tool.ts";
import { type GoodTool, plain } from "./good-tool.ts";
import { handbook } from "./handbook.ts";
import { pagingParameters, toLimit } from "./paging.ts";
import { refuseArgument } from "./refusal.ts";
import type { Json } from "./rpc.ts";

const notes = Array.from({ length: 12 }, (_, index) => {
  const number = String(index + 1).padStart(2, "0");
  return { id: `note-${number}`, title: `Note ${number}`, text: `What stands in note ${number}.` };
});

/**
 * Creates the tool of notes. Without paging, the list is returned as a whole, because response-v1 has no place for a
 * cursor.
 */
const noteTool = (pages: boolean): GoodTool => ({
  name: "note",
  description: "Reads notes. Actions: list (their ids and titles, page by page), get (one note by its id).",
  actions: {
    list: {
      parameters: pages ? pagingParameters : {},
      run: ({ limit, cursor }) => {
        const rows = notes.map(({ id, title }) => ({ id, title }));
        return pages
          ? { list: { rows, under: "notes", limit: toLimit(limit), cursor } }
          : { data: { notes: rows } };
      },
    },
    get: {
      parameters: {
        note_id: { type: "string", description: "The id of a note, as list gives it" },
        with_text: {
          type: "boolean",
          description: "Whether to send the text of the note too",
          default: true,
        },
      },
      required: ["note_id"],
      run: ({ note_id, with_text }) => getNote(note_id, with_text !== false),
    },
  },
});

function getNote(noteId: unknown, withText: boolean) {
  const note = notes.find(({ id }) => id === noteId);
  if (note !== undefined) {
    const { id, title, text } = note;
    return { data: { note_id: id, title, ...(withText ? { text } : {}) } };
  }
  return {
    refusal: {
      kind: "not-found" as const,
      code: "NOT_FOUND",
      type: "not_found",
      message: `Note not found: ${String(noteId).slice(0, 100)}`,
      remediation: 'List the notes with note(action="list") and use one of their ids.',
      details: { resource_type: "note", resource_id: String(noteId).slice(0, 100) },
    },
  };
}

/** Converts any value to a text, because faults let values through that a correct server would refuse. */
function toText(value: unknown): string {
  return typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
}

const upgradeHint = {
  code: "UPGRADE_AVAILABLE",
  severity: "info",
  message: "Echoes of more than five times need the enterprise tier",
  context: { feature: "many-echoes", tier: "enterprise" },
};

const echoTool = (tiered: boolean): GoodTool => ({
  name: "echo",
  description: "Gives back a text, once or several times.",
  actions: {
    [plain]: {
      parameters: {
        text: { type: "string", description: "What to give back; not blank" },
        times: { type: "integer", description: "How often", minimum: 1, maximum: 5, default: 1 },
      },
      required: ["text"],
      run({ text, times }) {
        const said = toText(text);
        // The schema does not express this rule, so only a call in a calls file triggers the refusal.
        if (said !== "" && said.trim() === "") {
          return { refusal: refuseArgument("blank", "text", "not_blank", "a text that is not blank") };
        }
        const data: Json = { text: Array.from({ length: Number(times ?? 1) }, () => said).join(" ") };
        if (!tiered) return { data };
        return { data, meta: { warnings: [upgradeHint.message], warning_details: [upgradeHint] } };
      },
    },
  },
});

const handbookTool = (budgeted: boolean): GoodTool => ({
  name: "handbook",
  description: "The handbook, section by section; what does not fit max_tokens is fetched with content.",
  actions: {
    [plain]: {
      parameters: budgeted
        ? {
            max_tokens: {
              type: "integer",
              description: "Most tokens of the answer; 0 for no limit",
              minimum: 0,
            },
          }
        : {},
      run: ({ max_tokens }) => ({
        long: { parts: handbook.sections.length, maxTokens: Number(max_tokens ?? 0), keep: keepSections },
      }),
    },
  },
});

function keepSections(count: number) {
  const dropped = handbook.sections.slice(count).map(({ id }) => id);
  const data = { sections: handbook.sections.slice(0, count) };
  if (dropped.length === 0) return { data };
  const message = `${dropped.length} of ${handbook.sections.length} sections were left out to fit max_tokens`;
  const context = {
    dropped_count: dropped.length,
    total_count: handbook.sections.length,
    reason: "max_tokens",
    fetch: `content(action="get", archive_id="${handbook.archiveId}")`,
  };
  return {
    data,
    meta: {
      warnings: [message],
      warning_details: [{ code: "CONTENT_TRUNCATED", severity: "info", message, context }],
      content_fidelity_schema_version: "1.0",
      content_fidelity: "partial",
      dropped_content_ids: dropped,
      content_archive_hashes: { [handbook.archiveId]: handbook.hash },
    },
  };
}

/** Returns the tools of the good server that a dialect can express. */
export function createGoodTools(dialect: "response-v2" | "envelope-v1" | "response-v1"): readonly GoodTool[] {
  const pages = dialect !== "response-v1";
  const tools = [noteTool(pages), echoTool(dialect === "envelope-v1"), handbookTool(pages)];
  return pages ? [...tools, contentTool] : tools;
}
