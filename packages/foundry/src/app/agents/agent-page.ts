/**
 * Instructions for an agent that uses the tools. `init --agent` writes this page, which has at most 60 lines
 * including its frame.
 */
export const agentPage = `# Specs and tasks

Plans are specs: phases in the order of work, each with tasks. They are files in \`specs/\`, committed with the code.
The MCP server \`foundry-mcp\` reads and changes them; without it, the program \`foundry-mcp\` does the same in a terminal.
Do not edit the files by hand while you work on a task: the tools keep counts, journal and history right.

## The loop

1. Take the next task: \`task(action="next", claim=true)\`. It searches all active specs. Keep \`claim_token\`.
2. Read what it gives: mission, description, file, acceptance criteria, notes of the tasks before it.
   \`task(action="prepare", spec_id=…, task_id=…)\` gives more.
3. Do the work. Every 10 minutes call \`task(action="heartbeat", spec_id=…, task_id=…, claim_token=…)\`.
4. Complete it and say what the next one must know:
   \`task(action="complete", spec_id=…, task_id=…, claim_token=…, note=…)\`.
5. Nothing ready? The answer says why and names the call to wait with: \`task(action="wait", spec_id=…)\`.

## When something is in the way

- You cannot go on: \`task(action="block", spec_id=…, task_id=…, reason=…)\`, then take the next task.
- You found more work: \`task(action="add", spec_id=…, parent=…, title=…, discovered_from=…)\`.
- You decided something others must know: put it into the note of the task.
- You must stop: \`task(action="release", spec_id=…, task_id=…, claim_token=…)\`.

## Verify tasks

A task of type \`verify\` comes when the work that it verifies is done. Run what it says. If the check fails, do not
complete it: reopen the task that is wrong with \`task(action="reopen", spec_id=…, task_id=…, reason=…)\`.

## Answers

Every answer is an envelope: \`success\`, \`data\`, \`error\`, \`meta\`. On a failure, \`data.remediation\` says what to do and
\`data.remedy\` holds the call. If \`meta.pagination.has_more\` is true, call again with \`cursor\`. If \`meta.warnings\` is
there, read it. \`server(action="schema", tool=…)\` shows all parameters of a tool.
`;
