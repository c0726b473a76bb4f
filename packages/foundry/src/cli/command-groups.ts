/**
 * A sentence for the help of the program about each group of commands, because the commands of a group may come from
 * several tools, and about each command with one word. A sentence fits one line of a terminal of 80 columns.
 * A command with an empty sentence is not listed.
 */
export const commandGroups: Readonly<Record<string, string>> = {
  specs: "Create, list, show, search, edit, import and delete specs",
  validate: "Check specs for errors, repair them, and show their statistics",
  tasks: "Find, claim, complete and change tasks",
  modify: "Change the tasks, phases, notes and fields of a spec",
  lifecycle: "Move specs between pending, active, completed and archived",
  journal: "Read and write the journal of a spec",
  verification: "Run verifications and record their results",
  review: "Prepare, record and list reviews of finished work",
  research: "Write digests and reports with quotes that can be verified",
  contract: "Check MCP servers and saved answers against the contract",
  config: "Read and change your own settings",
  store: "Copy specs to another store, and migrate a database",
  jobs: "List, show and cancel jobs: calls that outlive their client",
  content: "Read content that an answer left out for its token budget",
  server: "Show the tools, settings, feature flags and health",
  undo: "Undo your last change to a spec; a second undo redoes it",
  init: "Create a workspace in this folder, and configure an agent",
  // The next three commands are not listed, so that the list fits a terminal: git calls `merge-driver`, `--version`
  // prints the same as `version`, and plans are files of the Python server.
  "merge-driver": "",
  version: "",
  plan: "",
  doctor: "Check the settings, the tokens, the store and all specs",
  serve: "Run an HTTP server for MCP and the tools until it is stopped",
  page: "Open the page of this workspace in your browser",
  gateway: "Serve other MCP servers with one envelope for every answer",
  watch: "Show changes of specs as they happen",
};
