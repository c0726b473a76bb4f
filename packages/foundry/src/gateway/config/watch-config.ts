import { isContractError } from "@foundry-mcp/contract";
import type { Logger } from "@foundry-mcp/toolkit";

/** The functions and settings with which `watchConfig` watches a configuration. */
export interface ConfigWatch {
  /** Returns the current text of the configuration. */
  readonly read: () => Promise<string>;
  /** Applies a changed text. Throws if the text is invalid; the previous configuration then stays in force. */
  readonly use: (text: string) => Promise<void>;
  readonly logger: Logger;
  /** The time between two reads, in milliseconds. @default 1_000 */
  readonly periodMs?: number;
}

/**
 * Applies each change of a configuration. The file is polled, because editors replace files, and many file systems lose
 * the change events of a replaced file. An invalid configuration is logged and not applied.
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
      // A file that is being replaced may be missing for a moment. The servers keep their previous configuration.
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
