import { isContractError } from "@foundry-mcp/contract";
import type { Logger } from "@foundry-mcp/toolkit";

/** What watching a configuration needs. */
export interface ConfigWatch {
  /** Reads the text of the configuration. */
  readonly read: () => Promise<string>;
  /** Uses a changed text; throws if the text is invalid. */
  readonly use: (text: string) => Promise<void>;
  readonly logger: Logger;
  /** The time between two readings in milliseconds. @default 1_000 */
  readonly periodMs?: number;
}

/**
 * Uses each change of a configuration. The text is read in intervals, because editors replace files, and events of
 * replaced files are lost on many file systems. A text that is invalid is reported and otherwise ignored.
 */
export function watchConfig(
  first: string,
  { read, use, logger, periodMs = 1_000 }: ConfigWatch,
): { close(): void } {
  let known = first;
  let isChecking = false;
  const check = async () => {
    try {
      const text = await read();
      if (text === known) return;
      known = text;
      await use(text);
      logger.info({}, "gateway configuration changed");
    } catch (thrown) {
      // A file that is being replaced may be missing for a moment; the servers stay as they are.
      const reason = isContractError(thrown) ? thrown.message : String(thrown);
      if (reason !== lastReason) logger.warn({ reason }, "gateway configuration not changed");
      lastReason = reason;
      return;
    }
    lastReason = undefined;
  };
  let lastReason: string | undefined;
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    void check().finally(() => {
      isChecking = false;
    });
  }, periodMs);
  timer.unref();
  return { close: () => clearInterval(timer) };
}
