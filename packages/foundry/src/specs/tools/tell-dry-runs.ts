import type { Action, Tool } from "@foundry-mcp/toolkit";

type Run = (input: never, context: never) => unknown;

/**
 * Lets every answer of a tool to `dry_run: true` say so first, so that no action can forget it and answer as if it had
 * happened.
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
