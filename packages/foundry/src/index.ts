// The product in process: the registry that `foundry-mcp` serves, for other transports and for tests.
export { openServer, type ServerOptions } from "./app/open-server.ts";
export type { OpenServer } from "./app/opened-server.ts";
