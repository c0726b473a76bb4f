import { handbook } from "./handbook.ts";
import type { ZooCalls } from "./zoo-entry.ts";

const get = (noteId: string) => ({ tool: "note", arguments: { action: "get", note_id: noteId } });

/** A call for a note that no good server has. */
export const unknownNote: ZooCalls = {
  calls: [{ ...get("note-99"), expect: "failure", error_code: "NOT_FOUND" }],
};

/** A call with a text that is refused although its type is correct. */
export const blankText: ZooCalls = {
  calls: [{ tool: "echo", arguments: { text: " " }, expect: "failure", error_code: "VALIDATION_ERROR" }],
};

/** A call with an expectation that the good server cannot meet. */
export const wrongExpectation: ZooCalls = { calls: [{ ...get("note-99"), expect: "success" }] };

/** Calls for the good server that no schema suggests. */
export const goodCalls: ZooCalls = {
  calls: [
    ...unknownNote.calls,
    ...blankText.calls,
    { ...get("note-02"), expect: "success", data: { title: "Note 02" } },
    {
      tool: "content",
      arguments: { action: "get", content_id: "sec-20" },
      expect: "success",
      data: { archive_id: handbook.archiveId },
    },
  ],
};
