import type { ContractError } from "@foundry-mcp/contract";

/** Tells of errors; never throws. */
export type Reporter = (error: ContractError) => void;

/** Creates the reporter to a listener: one that fails itself decides no flag, and what it missed is a process warning. */
export function createReporter(onError: Reporter = warnProcess): Reporter {
  return (error) => {
    // Runs at once; a listener may be async, whatever its type says.
    const telling = (async () => onError(error))();
    telling.catch(() => warnProcess(error));
  };
}

/** Tells what would otherwise go unheard. */
function warnProcess(error: ContractError): void {
  process.emitWarning(error.message, { type: "FlagWarning", code: error.code });
}
