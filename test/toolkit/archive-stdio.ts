import { createFileArchive } from "@foundry-mcp/toolkit/archive";
import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { createArchiveRegistry } from "./archive-tools.ts";

// A process of its own: the tests spawn it with the folder of the archive.
const [folder = ""] = process.argv.slice(2);
serveStdio(createArchiveRegistry(createFileArchive({ folder }), 2_000));
