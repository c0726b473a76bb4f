import { createFileArchive } from "@foundry-mcp/toolkit/archive";
import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { createArchiveRegistry } from "./archive-tools.ts";

// This program runs in a separate process. The tests start it with the folder of the archive.
const [folder = ""] = process.argv.slice(2);
serveStdio(createArchiveRegistry(createFileArchive({ folder }), 2_000));
