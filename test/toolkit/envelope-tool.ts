import { errorResponse, successResponse } from "@foundry-mcp/contract";
import { action, defineTool, type Tool } from "@foundry-mcp/toolkit";
import { z } from "zod";

const version = "response-v2";
const page = { default: 2, max: 2 };

/** Values that resemble an envelope but are not envelopes, by the name of the action that returns them. */
export const lookalikes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  three_keys: { success: true, data: {}, meta: { version } },
  fifth_key: { success: true, data: {}, error: null, meta: { version }, extra: 1 },
  other_version: { success: true, data: {}, error: null, meta: { version: "response-v3" } },
  no_version: { success: true, data: {}, error: null, meta: {} },
  text_for_success: { success: "yes", data: {}, error: null, meta: { version } },
  list_for_data: { success: true, data: [], error: null, meta: { version } },
  object_for_error: { success: false, data: {}, error: {}, meta: { version } },
};

/** Envelopes whose parts break the contract, by the name of the action that returns them. */
export const brokenEnvelopes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  success_with_error: { success: true, data: {}, error: "No", meta: { version } },
  failure_without_error: { success: false, data: {}, error: null, meta: { version } },
  blank_error: { success: false, data: {}, error: " ", meta: { version } },
  text_for_pagination: { success: true, data: {}, error: null, meta: { version, pagination: "one" } },
};

/** A tool whose handlers return envelopes, or values that resemble one. */
export const envelopeTool: Tool = defineTool({
  name: "envelopes",
  version: "1.0.0",
  description: "Returns envelopes",
  actions: {
    success: action({
      output: z.object({ state: z.enum(["on", "off"]) }),
      run: () => successResponse({ state: "on" }, { requestId: "of-the-handler", warnings: "slow" }),
    }),
    failure: action({
      output: z.object({ state: z.enum(["on", "off"]) }),
      run: () =>
        errorResponse("Spec not found: a", {
          errorCode: "SPEC_NOT_FOUND",
          remediation: "Name another.",
          details: { resource_type: "spec", resource_id: "a" },
        }),
    }),
    later: action({ run: async () => errorResponse("The note is being edited", { errorCode: "CONFLICT" }) }),
    copied: action({ run: () => ({ ...successResponse({ n: 1 }) }) }),
    bare_failure: action({ run: () => ({ success: false, data: {}, error: "It broke", meta: { version } }) }),
    breaks_output: action({
      output: z.object({ count: z.int() }),
      run: () => successResponse({ count: "many" as unknown as number }),
    }),
    attached_failure: action({
      run: (_input, context) => {
        context.attach({ type: "resource_link", uri: "test://one", name: "one" });
        context.warn("FALLBACK_USED", "The first source failed");
        return errorResponse("The second source failed too", {
          errorCode: "UNAVAILABLE",
          warnings: ["It is Sunday"],
        });
      },
    }),
    own_page: action({
      page,
      run: () =>
        successResponse({ rows: [1, 2] }, { pagination: { cursor: null, hasMore: false, pageSize: 2 } }),
    }),
    pager: action({
      page,
      run: (_input, context) =>
        successResponse({ rows: context.page.sorted([1, 2, 3], { key: (row) => [row] }) }),
    }),
    unpaged_failure: action({ page, run: () => errorResponse("No list", { errorCode: "FORBIDDEN" }) }),
    unpaged: action({ page, run: () => successResponse({ rows: [1, 2] }) }),
    ...Object.fromEntries(
      Object.entries({ ...lookalikes, ...brokenEnvelopes }).map(([name, value]) => [
        name,
        action({ run: () => value }),
      ]),
    ),
  },
});
