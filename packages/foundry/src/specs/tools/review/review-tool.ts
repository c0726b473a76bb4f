import { action, defineTool, payload, rows, type Tool } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import { addReview } from "../../model/changes/add-review.ts";
import { requireNode } from "../../model/find-node.ts";
import { findingSeverities, maxFindings, reviewVerdicts } from "../../model/reviews/review-record.ts";
import { rootId } from "../../model/spec-document.ts";
import { addReviewView, reviewBundleView, reviewListView } from "../../views/review-view.ts";
import { claimFields, specChangeFields } from "../change-parameters.ts";
import { changeSpec } from "../change-spec.ts";
import { readSpec } from "../overwritten.ts";
import { specId, taskId } from "../parameters.ts";
import { specRevision } from "../payload-parts.ts";
import type { Workspace } from "../workspace.ts";
import { prepareReview, type ReviewDeps } from "./prepare-review.ts";
import { toReviews } from "./review-bundle.ts";

const reviewed = taskId.optional().describe("Id of a task, phase or verify node (default: the whole spec)");
const target = { spec_id: specId, task_id: reviewed };

const finding = () =>
  z.object({
    severity: z.enum(findingSeverities),
    message: z.string().min(1),
    file: z.string().min(1).optional(),
    line: z.int().min(1).optional(),
    task_id: z.string().min(1).optional(),
  });

/** Creates the tool that prepares work for review, and records the verdicts. */
export function createReviewTool(workspace: Workspace, deps: ReviewDeps): Tool {
  return defineTool({
    name: "review",
    version: "1.0.0",
    description: "Prepare and record reviews of finished work",
    actions: {
      prepare: action({
        description:
          "Collect the material for a review: criteria, plan, evidence, journal, earlier reviews, git diff",
        input: () => z.object(target),
        output: () =>
          payload({
            ...specRevision,
            task_id: z.string().nullable(),
            work_hash: z.string(),
            tasks: rows({ task_id: z.string() }),
          }),
        readOnly: true,
        cli: {
          command: "review prepare",
          arguments: ["spec_id", "task_id"],
          show: viewOf(() => reviewBundleView),
        },
        run: (input, context) => prepareReview(workspace, deps, input, context),
      }),
      add: action({
        description: "Record the verdict and findings of a review",
        input: () =>
          z.object({
            ...specChangeFields,
            task_id: reviewed,
            verdict: z.enum(reviewVerdicts),
            summary: z.string().min(1),
            findings: z.array(finding()).max(maxFindings).optional(),
            work_hash: z
              .string()
              .regex(/^[0-9a-f]{12}$/, "must be the work_hash of a bundle: 12 hexadecimal digits")
              .optional()
              .describe("work_hash from prepare: identifies the reviewed state (default: the current state)"),
            ...claimFields,
          }),
        output: () =>
          payload({
            ...specRevision,
            task_id: z.string().nullable(),
            verdict: z.string(),
            reviewed_at: z.string(),
            stale: z.boolean(),
          }),
        cli: {
          command: "review add",
          arguments: ["spec_id", "task_id"],
          short: { verdict: "v", summary: "s", findings: "f" },
          show: viewOf(() => addReviewView),
        },
        run: (input, context) => changeSpec(workspace, input, addReview(input), context),
      }),
      list: action({
        description: "List reviews, newest first. A review is marked stale if the work has changed since",
        input: () => z.object(target),
        output: () =>
          payload({
            ...specRevision,
            reviews: rows({ task_id: z.string().nullable(), stale: z.boolean() }),
            total_count: z.int(),
          }),
        readOnly: true,
        page: { default: 10, max: 100, of: "Reviews" },
        cli: {
          command: "review list",
          arguments: ["spec_id", "task_id"],
          show: viewOf(() => reviewListView),
        },
        run: async ({ spec_id, task_id = rootId }, context) => {
          const { model, revision } = await readSpec(workspace, spec_id, context);
          const reviews = toReviews(model, requireNode(model, task_id).id);
          // New reviews are listed first. Therefore, a review is identified by its number counted from the
          // end of the list.
          const numbered = reviews.map((review, at) => ({ review, number: reviews.length - at }));
          const page = context.page.sorted(numbered, {
            key: ({ number }) => [number],
            order: ["desc"],
            totalCount: reviews.length,
          });
          return {
            spec_id,
            reviews: page.map(({ review }) => review),
            total_count: reviews.length,
            revision,
          };
        },
      }),
    },
  });
}
