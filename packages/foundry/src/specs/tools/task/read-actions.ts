import { action, payload, rows } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import { createBelowCheck } from "../../model/ancestor-check.ts";
import { openBlockers } from "../../model/dependencies.ts";
import { requireNode } from "../../model/find-node.ts";
import { awaitedWork, createWaitingCheck } from "../../model/readiness.ts";
import { countOpen } from "../../model/require-ready.ts";
import { nodeStatuses, rootId } from "../../model/spec-document.ts";
import { progressOf, type SpecModel, type SpecNode } from "../../model/spec-model.ts";
import { givenFilter, matchesFilter } from "../../model/work-filter.ts";
import { progressView } from "../../views/stats-view.ts";
import { taskCardView } from "../../views/task-card-view.ts";
import { blockedListView, dependenciesView, taskListView, taskTreeView } from "../../views/task-list-view.ts";
import { cachedMatchingIds, cachedTaskIds, cachedTree, type TreeRow, toNodePage } from "../list-cache.ts";
import { readSpec } from "../overwritten.ts";
import { since, specId, taskId } from "../parameters.ts";
import { blocker, payloadOrUnchanged, specRevision, toUnchanged } from "../payload-parts.ts";
import { workFilter } from "../planning-parameters.ts";
import { toDependencies, toNodeProgress, toTask, toTaskRow } from "../spec-views.ts";
import type { Workspace } from "../workspace.ts";
import { toContextTokens, warnIfShortened } from "./fit-to-tokens.ts";
import { findUnclaimedTask, readNoTask, withRemediation } from "./next-view.ts";
import { completionNote } from "./waited-for.ts";
import { toPreparation } from "./work-context.ts";

const taskPage = { default: 25, max: 500, of: "Tasks" };
const taskRow = () => ({ task_id: z.string(), title: z.string(), status: z.string(), type: z.string() });
const taskRows = () => rows(taskRow());
const blockable = () => z.looseObject({ task_id: z.string(), blocker: blocker().optional() });
const blockableDependencies = () => z.looseObject({ blocker: blocker().optional() });

/** Creates the actions of `task` that only read. */
export function readActions(workspace: Workspace) {
  return {
    prepare: action({
      description: "Get a task with its context (default: the next)",
      input: () => z.object({ spec_id: specId, task_id: taskId.optional(), since }),
      output: () =>
        payload({
          ...specRevision,
          task: blockable().optional(),
          dependencies: blockableDependencies().optional(),
        }),
      readOnly: true,
      cli: { command: "tasks prepare", arguments: ["spec_id", "task_id"], show: viewOf(() => taskCardView) },
      run: async ({ spec_id, task_id, since }, context) => {
        const snapshot = await readSpec(workspace, spec_id, context);
        const { model, revision } = snapshot;
        if (since === revision) return toUnchanged(spec_id, revision);
        const next = task_id === undefined ? await findUnclaimedTask(workspace, snapshot) : undefined;
        if (next?.found === false) {
          const answer = await readNoTask(workspace, snapshot, next.reason);
          return { ...withRemediation(answer, context.describeRemedy), revision };
        }
        const node = next?.found ? next.node : requireNode(model, task_id ?? rootId);
        warnIfBlocked(model, node, context.warn);
        const prepared = toPreparation(model, node, toContextTokens(context.requestedTokens));
        warnIfShortened(prepared, context);
        return { spec_id, found: true, ...prepared, revision };
      },
    }),
    info: action({
      description: "Get a task",
      input: () => z.object({ spec_id: specId, task_id: taskId, since }),
      output: () => payloadOrUnchanged({ ...specRevision, task: blockable() }),
      readOnly: true,
      cli: {
        command: "tasks info",
        aliases: ["tasks show"],
        arguments: ["spec_id", "task_id"],
        show: viewOf(() => taskCardView),
      },
      run: async ({ spec_id, task_id, since }, context) => {
        const { model, revision } = await readSpec(workspace, spec_id, context);
        if (since === revision) return toUnchanged(spec_id, revision);
        const node = requireNode(model, task_id);
        warnIfBlocked(model, node, context.warn);
        const note = completionNote(model, node);
        const task = { ...toTask(model, node), ...(note === undefined ? {} : { note }) };
        return { spec_id, task_id, task, revision };
      },
    }),
    query: action({
      description: "List tasks",
      input: () =>
        z.object({
          spec_id: specId,
          status: z.enum(nodeStatuses).optional(),
          parent: z.string().optional().describe("Only below this node"),
          ...workFilter,
          since,
        }),
      output: () =>
        payload({
          ...specRevision,
          tasks: taskRows(),
          total_count: z.int(),
          filtered_count: z.int().optional(),
        }),
      readOnly: true,
      aliases: ["list"],
      page: taskPage,
      cli: {
        command: "tasks query",
        aliases: ["tasks list", "specs query-tasks"],
        arguments: ["spec_id"],
        short: { status: "s", parent: "p" },
        show: viewOf(() => taskListView),
      },
      run: async ({ spec_id, status, parent, since, ...planning }, context) => {
        const { model, revision } = await readSpec(workspace, spec_id, context);
        if (parent !== undefined) requireNode(model, parent);
        const all = cachedTaskIds(model);
        if (since === revision) {
          return {
            ...toUnchanged(spec_id, revision),
            tasks: toNodePage(model, [], context.page),
            total_count: all.length,
          };
        }
        const filter = givenFilter(planning);
        const isFiltered = status !== undefined || parent !== undefined || filter !== undefined;
        const isBelow = parent === undefined ? () => true : createBelowCheck(model, parent);
        const matching = isFiltered
          ? cachedMatchingIds(
              model,
              JSON.stringify([status, parent, filter]),
              (node) =>
                (status === undefined || node.status === status) &&
                isBelow(node.id) &&
                (filter === undefined || matchesFilter(filter, node.metadata)),
            )
          : all;
        return {
          spec_id,
          tasks: toNodePage(model, matching, context.page).map(toTaskRow),
          total_count: all.length,
          ...(isFiltered ? { filtered_count: matching.length } : {}),
          revision,
        };
      },
    }),
    hierarchy: action({
      description: "Get the tree of phases and tasks",
      input: () =>
        z.object({
          spec_id: specId,
          parent: z.string().optional().describe("Only below this node"),
          since,
          max_depth: z.int().min(0).max(100).optional().describe("Levels (default: 2)"),
        }),
      output: () =>
        payload({
          ...specRevision,
          nodes: rows({ node_id: z.string(), depth: z.int() }),
          total_count: z.int(),
          filtered_count: z.int().optional(),
        }),
      readOnly: true,
      page: { default: 100, max: 1_000, of: "Nodes" },
      cli: {
        command: "tasks hierarchy",
        aliases: ["tasks tree"],
        arguments: ["spec_id"],
        show: viewOf(() => taskTreeView),
      },
      run: async ({ spec_id, parent = rootId, max_depth = 2, since }, context) => {
        const { model, revision } = await readSpec(workspace, spec_id, context);
        if (since === revision) {
          const nodes = toNodePage(model, [], context.page);
          return { ...toUnchanged(spec_id, revision), nodes, total_count: model.order.length + 1 };
        }
        const { rows: tree, placeOf } = cachedTree(model, requireNode(model, parent), max_depth);
        const by = { id: ({ id }: TreeRow) => id, placeOf, totalCount: tree.length };
        const nodes = context.page.siblings(tree, by).map((row) => toTreeNode(model, row));
        const total_count = model.order.length + 1;
        // Levels are left out by default too, so a caller must see that these are not all nodes.
        const filtered = tree.length === total_count ? {} : { filtered_count: tree.length };
        return { spec_id, nodes, total_count, ...filtered, revision };
      },
    }),
    progress: action({
      description: "Count completed tasks by phase",
      input: () => z.object({ spec_id: specId, task_id: taskId.optional(), since }),
      output: () => payloadOrUnchanged({ ...specRevision, percentage: z.int() }),
      readOnly: true,
      parameterAliases: { node_id: "task_id" },
      cli: {
        command: "tasks progress",
        aliases: ["specs list-phases"],
        arguments: ["spec_id"],
        show: viewOf(() => progressView),
      },
      run: async ({ spec_id, task_id = rootId, since }, context) => {
        const { model, revision } = await readSpec(workspace, spec_id, context);
        if (since === revision) return toUnchanged(spec_id, revision);
        return { ...toNodeProgress(model, requireNode(model, task_id)), spec_id, revision };
      },
    }),
    "check-deps": action({
      description: "List open dependencies",
      input: () => z.object({ spec_id: specId, task_id: taskId, since }),
      output: () =>
        payloadOrUnchanged({ ...specRevision, can_start: z.boolean(), blocker: blocker().optional() }),
      readOnly: true,
      cli: {
        command: "tasks check-deps",
        aliases: ["tasks check-complete"],
        arguments: ["spec_id", "task_id"],
        show: viewOf(() => dependenciesView),
      },
      run: async ({ spec_id, task_id, since }, context) => {
        const { model, revision } = await readSpec(workspace, spec_id, context);
        if (since === revision) return toUnchanged(spec_id, revision);
        const node = requireNode(model, task_id);
        warnIfBlocked(model, node, context.warn);
        return { spec_id, ...toDependencies(model, node), revision };
      },
    }),
    "list-blocked": action({
      description: "List tasks that cannot start, with reasons",
      input: () => z.object({ spec_id: specId, since }),
      output: () =>
        payload({
          ...specRevision,
          tasks: rows({ ...taskRow(), blocker: blocker().optional() }),
          total_count: z.int(),
        }),
      readOnly: true,
      page: taskPage,
      cli: {
        command: "tasks list-blocked",
        aliases: ["specs list-blockers"],
        arguments: ["spec_id"],
        show: viewOf(() => blockedListView),
      },
      run: async ({ spec_id, since }, context) => {
        const { model, revision } = await readSpec(workspace, spec_id, context);
        if (since === revision) {
          return {
            ...toUnchanged(spec_id, revision),
            tasks: toNodePage(model, [], context.page),
            total_count: 0,
          };
        }
        const isWaiting = createWaitingCheck(model);
        const blocked = cachedMatchingIds(
          model,
          "cannot start",
          (node) => node.status === "blocked" || (node.status !== "completed" && isWaiting(node.id)),
        );
        const tasks = toNodePage(model, blocked, context.page).map((node) => {
          const { stored_status: _, ...dependencies } = toDependencies(model, node);
          // As in every list, the status is that of the file; `can_start` says that the task waits.
          return { ...dependencies, title: node.title, type: node.type, status: node.status };
        });
        return { spec_id, tasks, total_count: blocked.length, revision };
      },
    }),
  };
}

function warnIfBlocked(model: SpecModel, node: SpecNode, warn: (message: string) => void): void {
  const { id, status } = node;
  if (status === "completed") return;
  const names = openBlockers(model, id).map((blocker) => blocker.id);
  const open = awaitedWork(model, node);
  if (names.length > 0) warn(`${id} cannot start yet: it waits for ${names.join(", ")}`);
  else if (open !== undefined) warn(`${id} is not ready yet: ${countOpen(open)}`);
  else if (status === "blocked") warn(`${id} is blocked`);
}

function toTreeNode(model: SpecModel, { id, depth }: TreeRow) {
  const { title, type, status, children } = requireNode(model, id);
  return {
    node_id: id,
    title,
    type,
    status,
    depth,
    children: children.length,
    progress: progressOf(model.tally(id)),
  };
}
