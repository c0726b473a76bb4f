import { ContractError } from "@foundry-mcp/contract";
import {
  ErrorCode,
  type EvaluationContext,
  type JsonValue,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  type ResolutionDetails,
} from "@openfeature/server-sdk";
import { decideFlag } from "./decide-flag.ts";
import { type FlagSet, noFlags } from "./flag-definition.ts";
import { FlagFile } from "./flag-file.ts";
import { type GivenFlags, parseFlagFile, parseFlags } from "./parse-flags.ts";

/** The source of a flag provider: either a file or definitions in code. */
export interface FlagProviderOptions extends GivenFlags {
  /** The path of a JSON file of flags, which is read again when it changes. */
  readonly file?: string | undefined;
  /** A folder that must contain the flag file after links are resolved. @default the file may be anywhere */
  readonly within?: string | undefined;
  /**
   * Called when a new version of the flag file is invalid. The last valid version stays in effect.
   * @default a process warning
   */
  readonly onError?: ((error: ContractError) => void) | undefined;
  /** The clock, in milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/**
 * An OpenFeature provider of boolean flags from a file or from code. The name of the client is the targeting
 * key.
 */
export class FlagProvider implements Provider {
  readonly metadata = { name: "foundry-mcp" } as const;
  readonly runsOn = "server";
  readonly events = new OpenFeatureEventEmitter();
  readonly #options: FlagProviderOptions;
  readonly #file: FlagFile | undefined;
  readonly #now: () => number;
  #given = noFlags;

  constructor(options: FlagProviderOptions) {
    const { file, within, flags, overrides, clientOverrides, now = Date.now, onError } = options;
    if ((file === undefined) === (flags === undefined)) {
      throw new ContractError(
        `Cannot read flags: ${file === undefined ? "neither" : "both"} file and flags given`,
        {
          errorCode: "VALIDATION_ERROR",
          remediation: "Give one of file and flags.",
        },
      );
    }
    this.#options = options;
    this.#now = now;
    if (file === undefined) return;
    // A blank path, for example from an empty environment variable, would refer to the working directory.
    if (typeof file !== "string" || file.trim() === "") {
      throw new ContractError("Cannot read flags: file is blank", {
        errorCode: "VALIDATION_ERROR",
        remediation: "Set file to the path of a JSON file of flags.",
      });
    }
    const parse = (content: unknown, origin: string) =>
      parseFlagFile(content, origin, { overrides, clientOverrides });
    this.#file = new FlagFile(file, { parse, now, within, onError: createReporter(onError) });
  }

  /** The flags that are in effect. */
  get current(): FlagSet {
    return this.#file?.current ?? this.#given;
  }

  /** Reads the flags from the file or the options. Throws a ContractError if the flags are invalid. */
  async initialize(): Promise<void> {
    if (this.#file === undefined) this.#given = parseFlags(this.#options);
    else await this.#file.load();
  }

  /**
   * Reads the flag file again and emits an event if the file has changed. Returns undefined if no read is
   * needed.
   */
  refresh(): Promise<void> | undefined {
    return this.#file?.refresh()?.then((isNew) => {
      if (isNew) this.events.emit(ProviderEvents.ConfigurationChanged, { message: "The flags have changed" });
    });
  }

  async resolveBooleanEvaluation(
    name: string,
    fallback: boolean,
    { targetingKey = "" }: EvaluationContext,
  ): Promise<ResolutionDetails<boolean>> {
    await this.refresh();
    const { isEnabled, reason } = decideFlag(this.current, name, { client: targetingKey, now: this.#now() });
    if (reason === "unknown") return { value: fallback, errorCode: ErrorCode.FLAG_NOT_FOUND };
    const state = this.current.flags.get(name)?.state;
    return { value: isEnabled, reason, flagMetadata: state === undefined ? {} : { state } };
  }

  async resolveStringEvaluation(name: string, fallback: string) {
    return this.#refuseType(name, fallback);
  }

  async resolveNumberEvaluation(name: string, fallback: number) {
    return this.#refuseType(name, fallback);
  }

  async resolveObjectEvaluation<T extends JsonValue>(name: string, fallback: T) {
    return this.#refuseType(name, fallback);
  }

  #refuseType<T>(name: string, value: T): ResolutionDetails<T> {
    const isKnown = this.current.flags.has(name);
    return { value, errorCode: isKnown ? ErrorCode.TYPE_MISMATCH : ErrorCode.FLAG_NOT_FOUND };
  }
}

/** A function that reports an error and never throws. */
export type Reporter = (error: ContractError) => void;

/** Creates a reporter that calls a listener; if the listener fails, the error becomes a process warning. */
export function createReporter(onError: Reporter = emitWarning): Reporter {
  return (error) => {
    // The listener is called inside an async function, because a listener may be async despite its type.
    const calling = (async () => onError(error))();
    calling.catch(() => emitWarning(error));
  };
}

function emitWarning(error: ContractError): void {
  process.emitWarning(error.message, { type: "FlagWarning", code: error.code });
}
