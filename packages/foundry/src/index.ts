// The product in process: the registry that `foundry-mcp` serves, for other transports and for tests.
export { type OpenServer, openServer, type ServerOptions } from "./app/open-server.ts";
