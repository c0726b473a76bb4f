import type { Action, Tool } from "@foundry-mcp/toolkit";

type Run = (input: never, context: never) => unknown;

/**
 * Adds `dry_run: true` at the start of every response of a tool to a dry run. Therefore, no action can report
 * a change that was not made.
 */
export function tellDryRuns(tool: Tool): Tool {
  const actions = [...tool.actions].map(
    ([name, action]) => [name, { ...action, run: tellDryRun(action.run as Run) } as Action] as const,
  );
  return { ...tool, actions: new Map(actions) };
}

function tellDryRun(run: Run): Run {
  return async (input: { readonly dry_run?: boolean }, context: never) => {
    const result = await run(input as never, context);
    return input.dry_run === true ? { dry_run: true, ...(result as object) } : result;
  };
}
