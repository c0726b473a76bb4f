import { action, defineTool, payload, rows, type Tool } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import { applySteps } from "../../model/changes/apply-steps.ts";
import { createSpec, newSpecId } from "../../model/changes/create-spec.ts";
import { toCreatedNodes } from "../../model/changes/created-nodes.ts";
import { noteKinds, notesOf } from "../../model/changes/notes.ts";
import { specFolders } from "../../model/spec-document.ts";
import { SpecModel } from "../../model/spec-model.ts";
import { type SpecSnapshot, toSpecPath } from "../../stores/spec-store.ts";
import { changeView } from "../../views/change-view.ts";
import {
  addNoteView,
  applyView,
  createSpecView,
  noteListView,
  replaceView,
  updateSpecView,
} from "../../views/spec-change-view.ts";
import { dryRun, idempotencyKey, specChangeFields } from "../change-parameters.ts";
import { changeSpec, repeatedCallWarning, requireForce, toChangeOptions } from "../change-spec.ts";
import { metadata, newTask, phaseFields, specTexts } from "../node-fields.ts";
import { readSpec } from "../overwritten.ts";
import { specId } from "../parameters.ts";
import { createdNodes, specRevision } from "../payload-parts.ts";
import { toSpecStatus } from "../spec-views.ts";
import { listTakenIds } from "../taken-ids.ts";
import { purposeOf, type Workspace } from "../workspace.ts";
import { authoringOperations } from "./authoring-operations.ts";
import { operationAction } from "./operation.ts";
import { maxOperations, parseOperationsText, readOperations, toSteps } from "./parse-steps.ts";
import { loadCreateReplace } from "./timed-replace.ts";

/** Creates the tool that writes specs. */
export function createAuthoringTool(workspace: Workspace): Tool {
  return defineTool({
    name: "authoring",
    version: "1.0.0",
    description: "Create specs and edit their phases, notes and texts",
    actions: {
      "spec-create": createSpecAction(workspace),
      ...operationActions(workspace),
      "note-list": listNotesAction(workspace),
      "find-replace": operationAction(workspace, authoringOperations["find-replace"], {
        description: "Replace text in titles and descriptions",
        output: () => payload({ ...specRevision, total_replacements: z.int(), nodes_affected: z.int() }),
        aliases: ["spec-find-replace"],
        cli: {
          command: "modify find-replace",
          arguments: ["spec_id", "find", "replace"],
          literal: ["find", "replace"],
          show: viewOf(() => replaceView),
        },
        load: loadCreateReplace,
      }),
      apply: applyAction(workspace),
    },
  });
}

function createSpecAction(workspace: Workspace) {
  return action({
    description: "Create a spec, with its phases and tasks if given",
    input: () =>
      z.object({
        name: z.string().min(1).describe("Title; the id is derived from it"),
        ...specTexts,
        metadata,
        status: z.enum(specFolders).optional().describe("Folder (default: pending)"),
        phases: z.array(z.object({ ...phaseFields, tasks: z.array(newTask).optional() })).optional(),
        dry_run: dryRun,
        idempotency_key: idempotencyKey,
      }),
    output: () =>
      payload({ spec_id: z.string(), title: z.string(), status: z.string(), created_nodes: createdNodes() }),
    parameterAliases: { title: "name" },
    cli: { command: "specs create", arguments: ["name"], show: viewOf(() => createSpecView) },
    run: async (input, context) => {
      const { name, status = "pending", dry_run = false, idempotency_key: _, ...fields } = input;
      const store = await workspace.store(purposeOf(input));
      const now = new Date().toISOString();
      const taken = await listTakenIds(store);
      const id = newSpecId(name, now, (each) => taken.has(each));
      const { author = "", action, key } = toChangeOptions({ spec_id: "", ...input }, context);
      const { document } = createSpec(id, { title: name, ...fields }, { now, author });
      if (dry_run) {
        const draft = { id, folder: status, model: new SpecModel(document), revision: null };
        return { ...toCreatedSpec(draft), path: toSpecPath(status, id) };
      }
      const snapshot = await store.create(id, document, status, { author, action, key });
      if (snapshot.id !== id) context.warn(repeatedCallWarning);
      return { ...toCreatedSpec(snapshot), path: snapshot.path };
    },
  });
}

/** Returns the payload for a new spec and the nodes that were created with it. */
function toCreatedSpec<R extends string | null>(
  snapshot: Pick<SpecSnapshot, "id" | "folder" | "model"> & { readonly revision: R },
) {
  const { model } = snapshot;
  return { ...toSpecStatus(snapshot), created_nodes: toCreatedNodes(model, model.order) };
}

function operationActions(workspace: Workspace) {
  const phase = () => payload({ ...specRevision, phase_id: z.string() });
  const newPhase = () => payload({ ...specRevision, phase_id: z.string(), created_nodes: createdNodes() });
  return {
    "spec-update": operationAction(workspace, authoringOperations["spec-update"], {
      description: "Change the title or other fields of a spec",
      output: () => payload({ ...specRevision, fields_updated: z.array(z.string()) }),
      aliases: ["spec-update-frontmatter"],
      idempotent: true,
      cli: {
        command: "modify update-spec",
        aliases: ["modify frontmatter"],
        arguments: ["spec_id"],
        show: viewOf(() => updateSpecView),
      },
    }),
    "phase-add": operationAction(workspace, authoringOperations["phase-add"], {
      description: "Add a phase",
      output: newPhase,
      cli: {
        command: "modify add-phase",
        aliases: ["modify phase-add"],
        arguments: ["spec_id"],
        show: viewOf(() => changeView("add-phase")),
      },
    }),
    "phase-add-bulk": operationAction(workspace, authoringOperations["phase-add-bulk"], {
      description: "Add a phase with its tasks",
      output: newPhase,
      cli: {
        command: "modify add-phase-bulk",
        arguments: ["spec_id"],
        show: viewOf(() => changeView("add-phase")),
      },
    }),
    "phase-update": operationAction(workspace, authoringOperations["phase-update"], {
      description: "Change the title or other fields of a phase",
      output: phase,
      aliases: ["phase-update-metadata"],
      idempotent: true,
      cli: {
        command: "modify update-phase",
        arguments: ["spec_id", "phase_id"],
        show: viewOf(() => changeView("update-phase")),
      },
    }),
    "phase-move": operationAction(workspace, authoringOperations["phase-move"], {
      description: "Move a phase to another position",
      output: phase,
      cli: {
        command: "modify move-phase",
        arguments: ["spec_id", "phase_id"],
        show: viewOf(() => changeView("move-phase")),
      },
    }),
    "phase-remove": operationAction(workspace, authoringOperations["phase-remove"], {
      description: "Remove a phase and its tasks. Fails if a task in the phase is open, unless force",
      output: phase,
      destructive: true,
      cli: {
        command: "modify remove-phase",
        arguments: ["spec_id", "phase_id"],
        show: viewOf(() => changeView("remove-phase")),
      },
    }),
    "note-add": operationAction(workspace, authoringOperations["note-add"], {
      description: "Add an assumption, constraint, risk, question, success criterion or revision note",
      output: () => payload({ ...specRevision, kind: z.string(), total: z.int() }),
      cli: { command: "modify add-note", arguments: ["spec_id"], show: viewOf(() => addNoteView) },
    }),
  };
}

function listNotesAction(workspace: Workspace) {
  return action({
    description: "List the notes of a spec",
    input: () => z.object({ spec_id: specId, kind: z.enum(noteKinds).optional() }),
    output: () =>
      payload({
        ...specRevision,
        notes: rows({ kind: z.string(), index: z.int(), text: z.string() }),
        total_count: z.int(),
        filtered_count: z.int().optional(),
      }),
    readOnly: true,
    page: { default: 50, max: 500, of: "Notes" },
    cli: {
      command: "modify list-notes",
      aliases: ["specs notes"],
      arguments: ["spec_id"],
      show: viewOf(() => noteListView),
    },
    run: async ({ spec_id, kind }, context) => {
      const { model, revision } = await readSpec(workspace, spec_id, context);
      const all = notesOf(model);
      const matching = kind === undefined ? all : all.filter((note) => note.kind === kind);
      const notes = context.page.sorted(matching, {
        key: (note) => [noteKinds.indexOf(note.kind), note.index],
        totalCount: matching.length,
      });
      return {
        spec_id,
        notes,
        total_count: all.length,
        ...(kind === undefined ? {} : { filtered_count: matching.length }),
        revision,
      };
    },
  });
}

function applyAction(workspace: Workspace) {
  return action({
    description:
      'Apply many changes (operations) to a spec, all or none. ref: "a" names an added node, "$a" is its id in later operations',
    input: () =>
      z.object({
        ...specChangeFields,
        operations: z
          .array(z.looseObject({ op: z.string() }))
          .min(1)
          .max(maxOperations)
          .optional()
          .describe(
            'Each {op, …}: op is an action of task or authoring that changes a spec, with the parameters of that action. An op that adds a task or phase may have ref: "a"; later ops write "$a" for the new id',
          ),
        operations_text: z.string().optional().describe("The operations as JSON text, instead of operations"),
      }),
    output: () => payload({ ...specRevision, applied: z.int(), created_nodes: createdNodes() }),
    destructive: true,
    cli: {
      command: "modify apply",
      arguments: ["spec_id", "operations_text"],
      files: ["operations_text"],
      show: viewOf(() => applyView),
    },
    run: async (input, context) => {
      const { operations_text: _, ...rest } = input;
      const operations = readOperations(parseOperationsText(input), context.warn);
      requireForce(operations, context);
      const steps = toSteps(operations, await loadCreateReplace());
      return changeSpec(workspace, { ...rest, operations } as typeof input, applySteps(steps), context);
    },
  });
}
