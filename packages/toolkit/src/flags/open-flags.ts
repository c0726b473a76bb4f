import { ContractError, unavailable } from "@foundry-mcp/contract";
import { ErrorCode, type EvaluationDetails, type Provider, ProviderEvents } from "@openfeature/server-sdk";
import type { Flag } from "./flag-definition.ts";
import { bindProvider, type FlagDomain } from "./flag-domain.ts";
import { createReporter, FlagProvider, type FlagProviderOptions, type Reporter } from "./flag-provider.ts";
import { type FlagReport, type Flags, type FlagVerdict, flagStates } from "./flags.ts";
import { VerdictCache } from "./verdict-cache.ts";

/** The source of flags: exactly one of `file`, `flags` and `provider`. */
export interface FlagsOptions extends FlagProviderOptions {
  /** An OpenFeature provider, which receives the client as targeting key. */
  readonly provider?: Provider | undefined;
  /** The flags of `provider` that `list` returns. All other flags can still be evaluated. @default [] */
  readonly names?: readonly string[] | undefined;
  /**
   * Called when a new version of the flag file is invalid, and when the provider fails.
   * @default a process warning
   */
  readonly onError?: ((error: ContractError) => void) | undefined;
}

/**
 * Opens the flags of a registry in a separate OpenFeature domain. A flag verdict is cached for at most a
 * second. A new version of the flag file takes effect for every client within two seconds.
 *
 * @example
 * const flags = await openFlags({ file: "flags.json" });
 * const registry = createRegistry({ name: "harbour", version: "1.0.0", tools, flags });
 */
export async function openFlags(options: FlagsOptions): Promise<Flags> {
  requireOneSource(options);
  const { provider, names = [], now = Date.now } = options;
  const onError = createReporter(options.onError);
  if (provider !== undefined) return createFlags(await bindProvider(provider), { names, now, onError });
  const own = new FlagProvider(options);
  return createFlags(await bindProvider(own), { own, names, now, onError });
}

function requireOneSource(options: FlagsOptions): void {
  const given = (keys: readonly (keyof FlagsOptions)[]) => keys.filter((key) => options[key] !== undefined);
  const sources = given(["file", "flags", "provider"]);
  if (sources.length !== 1) {
    const found = sources.length === 0 ? "none is given" : `${sources.join(" and ")} are given`;
    throw invalidOptions(
      `of file, flags and provider ${found}`,
      "Give exactly one of file, flags and provider.",
    );
  }
  const useless = given(options.provider === undefined ? ["names"] : ["overrides", "clientOverrides"]);
  if (useless.length > 0) {
    const keys = useless.join(" and ");
    throw invalidOptions(`${keys} cannot be used with ${sources[0]}`, `Leave out ${keys}.`);
  }
}

function invalidOptions(why: string, remediation: string): ContractError {
  return new ContractError(`Cannot open flags: ${why}`, { errorCode: "VALIDATION_ERROR", remediation });
}

interface FlagSource {
  /**
   * The provider of this package, or undefined for a third-party provider. The flags of a third-party
   * provider are known only from `names`.
   */
  readonly own?: FlagProvider;
  readonly names: readonly string[];
  readonly now: () => number;
  readonly onError: Reporter;
}

/** The maximum time for one flag evaluation, so that a provider that hangs does not block a call. */
const providerTimeoutMs = 1_000;
const closedVerdict: FlagVerdict = { isEnabled: false, reason: "closed" };
/** The flag verdict if the flag source fails. Broken configuration must not enable a feature. */
const failedVerdict: FlagVerdict = { isEnabled: false, reason: "error" };

function createFlags(domain: FlagDomain, { own, names, now, onError }: FlagSource): Flags {
  const cache = new VerdictCache(now);
  const clear = () => cache.clear();
  domain.client.addHandler(ProviderEvents.ConfigurationChanged, clear);
  const reported = new Map<string, string>();
  let isOpen = true;

  /**
   * Reports a failure of a flag once. The failure is reported again if its message changes, or if the flag
   * fails again after an evaluation without a failure.
   */
  function report(flag: string, problem: string | undefined): void {
    if (problem === reported.get(flag)) return;
    reported.delete(flag);
    if (problem === undefined) return;
    reported.set(flag, problem);
    onError(unavailable(`Cannot evaluate the flag ${flag}, so the flag is off: ${problem}`));
  }

  async function ask(name: string, client: string): Promise<FlagVerdict> {
    // An OpenFeature domain whose provider was removed would use the default provider of the process instead.
    if (!isOpen || !domain.isBound()) return closedVerdict;
    const store = cache.expect(name, client);
    try {
      const evaluation = domain.client.getBooleanDetails(name, false, { targetingKey: client });
      const details = await withTimeout(providerTimeoutMs, evaluation);
      const verdict = toVerdict(details);
      if (verdict !== failedVerdict) store(verdict);
      report(name, verdict === failedVerdict ? describeProblem(details) : undefined);
      return verdict;
    } catch {
      // The flag is off if a hook of the process threw or the provider hangs.
      return failedVerdict;
    }
  }

  const evaluate = (name: string, client: string) => cache.find(name, client) ?? ask(name, client);

  return {
    evaluate,
    has(name) {
      if (own === undefined) return names.includes(name);
      // The code does not wait for the refresh, so a flag that was just added to the file is known only from
      // the next call on.
      if (isOpen) own.refresh()?.catch(() => {});
      return own.current.flags.has(name);
    },
    async list(client) {
      if (isOpen) await own?.refresh();
      const flags = own?.current.flags;
      const listed = [...new Set(flags?.keys() ?? names)].sort();
      return Promise.all(
        listed.map(async (name) => toReport(name, await evaluate(name, client), flags?.get(name))),
      );
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      clear();
      domain.client.removeHandler(ProviderEvents.ConfigurationChanged, clear);
      domain.release();
    },
  };
}

async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("too late")), milliseconds);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Reads the verdict from an OpenFeature evaluation by any provider. */
function toVerdict(details: EvaluationDetails<boolean>): FlagVerdict {
  const { value, reason, errorCode, flagMetadata } = details;
  if (errorCode === ErrorCode.FLAG_NOT_FOUND) return { isEnabled: false, reason: "unknown" };
  // The OpenFeature SDK does not check the type of the value that a provider returns.
  if (errorCode !== undefined || reason === "ERROR" || typeof value !== "boolean") return failedVerdict;
  const state = flagStates.find((known) => known === flagMetadata["state"]);
  return { isEnabled: value, reason: toReason(reason), ...(state === undefined ? {} : { state }) };
}

/**
 * Converts a reason of OpenFeature, such as `TARGETING_MATCH`, to lower case. Returns `provider` for
 * `UNKNOWN`, which means that the provider returned no reason.
 */
function toReason(reason: unknown): string {
  if (typeof reason !== "string" || reason === "" || reason === "UNKNOWN") return "provider";
  return reason.slice(0, 60).toWellFormed().toLowerCase();
}

function describeProblem({ errorCode, errorMessage, value }: EvaluationDetails<boolean>): string {
  if (typeof value !== "boolean") return `the provider gave a ${typeof value}, not a boolean`;
  return [errorCode, errorMessage].filter(Boolean).join(", ") || "the provider says so";
}

/** Creates the report on a flag from its verdict and the properties that its definition sets. */
function toReport(name: string, verdict: FlagVerdict, flag: Flag | undefined): FlagReport {
  const facts = {
    state: verdict.state ?? flag?.state,
    description: flag?.description,
    owner: flag?.owner,
    created_at: flag?.createdAt,
    expires_at: flag?.expiresAt,
  };
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return { name, enabled: verdict.isEnabled, reason: verdict.reason, ...Object.fromEntries(known) };
}
