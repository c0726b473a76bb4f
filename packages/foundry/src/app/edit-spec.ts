import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ContractError, isContractError, isRecord } from "@foundry-mcp/contract";
import type { Context } from "@foundry-mcp/toolkit";
import { toShellCommand } from "@foundry-mcp/toolkit/cli";
import { createWorkspaceFiles, resolveLinks } from "@foundry-mcp/toolkit/files";
import { programName } from "../program/program-name.ts";
import { maxBytes } from "../specs/model/text-limits.ts";
import { exportMarkdown, importInto } from "../specs/tools/spec/markdown-actions.ts";
import type { Workspace } from "../specs/tools/workspace.ts";
import { type EditorTerminal, runEditor } from "./run-editor.ts";

/**
 * Opens the Markdown of a spec in the user's editor, and applies the changes to the revision that was opened. If the
 * changes cannot be applied, the edited text is kept in a file that the error names.
 */
export async function editSpec(
  workspace: Workspace,
  terminal: EditorTerminal,
  spec_id: string,
  context: Context,
) {
  if (!terminal.isInteractive) throw noTerminal(spec_id);
  const { markdown, revision } = await exportMarkdown(workspace, spec_id, context);
  const draft = await createDraft(spec_id, markdown);
  try {
    await runEditor(terminal, draft.path);
    const edited = await draft.read();
    if (edited === markdown || edited.trim() === "") {
      if (edited !== markdown) context.warn("The text is empty; nothing was changed");
      await draft.remove();
      return {
        spec_id,
        revision,
        created: false,
        added: [],
        created_nodes: [],
        changed: [],
        removed: [],
        losses: [],
      };
    }
    await requireSameSpec(spec_id, markdown, edited);
    const input = {
      spec_id,
      markdown: edited,
      if_revision: revision,
      remove_missing: true,
      confirm: true,
    } as const;
    const result = await importInto(workspace, input, context);
    await draft.remove();
    return result;
  } catch (thrown) {
    throw withDraft(thrown, draft.path, spec_id);
  }
}

/** Creates a file with the text in the folder for temporary files. Only the user can read the file. */
async function createDraft(specId: string, text: string) {
  const root = resolveLinks(tmpdir()) ?? tmpdir();
  const folder = join(root, `foundry-edit-${randomBytes(8).toString("hex")}`);
  const path = join(folder, `${specId}.md`);
  const files = createWorkspaceFiles({
    root,
    privateFolder: ".",
    isPersonal: true,
    removable: [/foundry-edit-[0-9a-f]{16}(?:\/[^/]+\.md)?/],
  });
  await files.mkdir(folder, { mode: 0o700, exclusive: true });
  await files.append(path, Buffer.from(text), { mode: 0o600 });
  return {
    path,
    read: async () => (await files.readFile(path, maxBytes)).bytes.toString("utf8"),
    /** Removes the draft. Other files that an editor left in the folder are kept. */
    remove: async () => {
      await files.unlink(path).catch(() => {});
      await files.rmdir(folder).catch(() => {});
    },
  };
}

function noTerminal(spec_id: string): ContractError {
  return new ContractError(`Cannot edit spec "${spec_id}": an editor needs a terminal, and there is none`, {
    errorCode: "INVALID_STATE",
    remediation:
      "Write the Markdown to a file with {1}, edit it, and import the file with the id of the spec.",
    remedy: { tool: "spec", action: "export", arguments: { spec_id } },
    details: { spec_id },
  });
}

/**
 * Refuses an edited text that has lost the lines that say which spec it is: text above the front matter turns the
 * front matter into a description, and would move all phases. A missing title would be ignored.
 */
async function requireSameSpec(spec_id: string, original: string, edited: string): Promise<void> {
  const { parseMarkdown } = await import("../specs/model/markdown/parse-markdown.ts");
  const before = parseMarkdown(original).draft;
  const { specId, title } = parseMarkdown(edited).draft;
  if (specId === undefined)
    throw brokenText(
      spec_id,
      `it must begin with the lines "---", "spec_id: ${spec_id}" and "---"`,
      "Restore these lines at the beginning of the text, without other text above them.",
    );
  if (specId !== spec_id)
    throw brokenText(
      spec_id,
      `its line spec_id names "${specId}"; the id of a spec cannot be changed`,
      `Change the line back to "spec_id: ${spec_id}".`,
    );
  if (title === undefined && before.title !== undefined)
    throw brokenText(
      spec_id,
      "it has no title",
      `Restore the title below the front matter, such as "# ${before.title}".`,
    );
}

function brokenText(spec_id: string, reason: string, remediation: string): ContractError {
  return new ContractError(`Cannot apply the edited text to spec "${spec_id}": ${reason}`, {
    errorCode: "VALIDATION_ERROR",
    remediation,
    details: { field: "markdown", constraint: "edit", spec_id },
  });
}

/**
 * Adds the path of the edited text to an error, and the command that applies the corrected text if the error has no
 * remedy of its own.
 */
function withDraft(thrown: unknown, path: string, spec_id: string): unknown {
  if (!isContractError(thrown)) return thrown;
  const { details, remediation = "", remedy } = thrown.options;
  const own = `Your text is in ${path}. ${remediation}`.trim();
  const words = ["specs", "import", path, "--spec-id", spec_id, "--remove-missing", "--confirm"];
  return new ContractError(thrown.message, {
    ...thrown.options,
    ...(remedy === undefined
      ? {
          remediation: `${own} Then apply it: {1}.`,
          remedy: { command: `${programName} ${toShellCommand(words)}` },
        }
      : { remediation: own }),
    details: { ...(isRecord(details) ? details : {}), kept_file: path },
  });
}
