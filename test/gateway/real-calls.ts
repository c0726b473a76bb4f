import { fileURLToPath } from "node:url";

/** A call of a real server. */
export interface RealCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The compiled program of a server: one of the MCP project, or another one of npm. */
export const pathOf = (name: string) =>
  fileURLToPath(
    new URL(
      name === "hello-world"
        ? "../../node_modules/mcp-hello-world/build/stdio.js"
        : `../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`,
      import.meta.url,
    ),
  );

const call = (tool: string, args: RealCall["args"] = {}): RealCall => ({ tool, args });

/** A call of every tool of each server; answers that differ between two processes are left out of `compared`. */
export const realCalls = {
  everything: [
    call("echo", { message: "hello" }),
    call("get-annotated-message", { messageType: "success", includeImage: true }),
    call("get-env"),
    call("get-resource-links", { count: 3 }),
    call("get-resource-reference", { resourceType: "Text", resourceId: 1 }),
    call("get-structured-content", { location: "New York" }),
    call("get-sum", { a: 1, b: 2 }),
    call("get-tiny-image"),
    call("gzip-file-as-resource", { name: "a.gz", data: "data:text/plain,hello", outputType: "resource" }),
    call("toggle-simulated-logging"),
    call("toggle-subscriber-updates"),
    call("trigger-long-running-operation", { duration: 0.1, steps: 2 }),
    call("simulate-research-query", { topic: "tides" }),
    call("trigger-elicitation-request"),
    call("trigger-url-elicitation", { url: "https://example.com/", message: "Open it" }),
    call("trigger-sampling-request", { prompt: "tides", maxTokens: 10 }),
  ],
  "hello-world": [
    call("echo", { message: "hello" }),
    call("debug"),
    call("add", { a: 1, b: 2 }),
    call("add", { a: "one", b: 2 }),
  ],
  memory: [
    call("create_entities", { entities: [{ name: "Ada", entityType: "person", observations: ["writes"] }] }),
    call("create_relations", { relations: [{ from: "Ada", to: "Ada", relationType: "knows" }] }),
    call("add_observations", { observations: [{ entityName: "Ada", contents: ["computes"] }] }),
    call("read_graph"),
    call("search_nodes", { query: "ada" }),
    call("open_nodes", { names: ["Ada"] }),
    call("delete_observations", { deletions: [{ entityName: "Ada", observations: ["writes"] }] }),
    call("delete_relations", { relations: [{ from: "Ada", to: "Ada", relationType: "knows" }] }),
    call("delete_entities", { entityNames: ["Ada"] }),
    call("add_observations", { observations: [{ entityName: "Nobody", contents: ["x"] }] }),
  ],
  "sequential-thinking": [
    call("sequentialthinking", {
      thought: "one",
      nextThoughtNeeded: true,
      thoughtNumber: 1,
      totalThoughts: 2,
    }),
    call("sequentialthinking", { thought: "two" }),
  ],
  filesystem: [
    call("list_allowed_directories"),
    call("create_directory", { path: "$/sub" }),
    call("write_file", { path: "$/sub/a.txt", content: "one\ntwo\n" }),
    call("read_file", { path: "$/sub/a.txt" }),
    call("read_text_file", { path: "$/sub/a.txt", head: 1 }),
    call("read_media_file", { path: "$/sub/a.txt" }),
    call("read_multiple_files", { paths: ["$/sub/a.txt", "$/none.txt"] }),
    call("edit_file", { path: "$/sub/a.txt", edits: [{ oldText: "one", newText: "1" }] }),
    call("list_directory", { path: "$" }),
    call("list_directory_with_sizes", { path: "$" }),
    call("directory_tree", { path: "$" }),
    call("move_file", { source: "$/sub/a.txt", destination: "$/b.txt" }),
    call("search_files", { path: "$", pattern: "*.txt" }),
    call("get_file_info", { path: "$/b.txt" }),
    call("read_text_file", { path: "$/none.txt" }),
    call("read_text_file", { path: "/etc/passwd" }),
  ],
} satisfies Readonly<Record<string, readonly RealCall[]>>;

export type RealServer = keyof typeof realCalls;
