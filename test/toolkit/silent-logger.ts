import type { Logger } from "@foundry-mcp/toolkit";

const ignore = (): void => {};

/** Keeps the lines of a server out of the report of the tests. */
export const silentLogger: Logger = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  child: () => silentLogger,
};
