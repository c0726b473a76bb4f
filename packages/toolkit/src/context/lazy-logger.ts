import type { Logger } from "./logger.ts";

/** The levels of a logger by severity; `silent` is above all of them. */
const severities: Readonly<Record<string, number>> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: Number.POSITIVE_INFINITY,
};

type Level = "debug" | "info" | "warn" | "error";

/** True for the name of a level that a logger may have. */
export function isLogLevel(level: string): boolean {
  return Object.hasOwn(severities, level);
}

/**
 * Creates a logger that is opened when it first has a line to write, because a server is faster to start than its log
 * is to load. Lines that are written while the log is loading keep their order.
 */
export function createLazyLogger(level: string, open: () => Promise<Logger>): Logger {
  const least = severities[level] ?? 0;
  let opened: Logger | undefined;
  let opening: Promise<Logger> | undefined;
  const use = (work: (logger: Logger) => void): void => {
    if (opened !== undefined) {
      work(opened);
      return;
    }
    opening ??= open().then((logger) => {
      opened = logger;
      return logger;
    });
    // If the log cannot be loaded, the server still answers calls.
    opening.then(work).catch(() => {});
  };
  const create = (toOpened: (logger: Logger) => Logger): Logger => {
    let own: Logger | undefined;
    const write = (at: Level) => (facts: object, message: string) => {
      if ((severities[at] as number) < least) return;
      use((logger) => {
        own ??= toOpened(logger);
        own[at](facts, message);
      });
    };
    return {
      debug: write("debug"),
      info: write("info"),
      warn: write("warn"),
      error: write("error"),
      child: (facts) => create((logger) => toOpened(logger).child(facts)),
      isLevelEnabled: (at) => (severities[at] as number) >= least,
    };
  };
  return create((logger) => logger);
}
