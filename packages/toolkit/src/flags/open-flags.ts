import { ContractError, unavailable } from "@foundry-mcp/contract";
import { ErrorCode, type EvaluationDetails, type Provider, ProviderEvents } from "@openfeature/server-sdk";
import type { Flag } from "./flag-definition.ts";
import { bindProvider, type FlagDomain } from "./flag-domain.ts";
import { createReporter, FlagProvider, type FlagProviderOptions, type Reporter } from "./flag-provider.ts";
import { type FlagReport, type Flags, type FlagVerdict, flagStates } from "./flags.ts";
import { VerdictCache } from "./verdict-cache.ts";

/** The source of flags: exactly one of `file`, `flags` and `provider`. */
export interface FlagsOptions extends FlagProviderOptions {
  /** Any OpenFeature provider; the client is its targeting key. */
  readonly provider?: Provider | undefined;
  /** The flags of `provider` that are known and listed; others are asked for all the same. @default [] */
  readonly names?: readonly string[] | undefined;
  /** Hears of a broken new version of the file, and of a provider that fails. @default a process warning */
  readonly onError?: ((error: ContractError) => void) | undefined;
}

/**
 * Opens the flags of a registry, in an OpenFeature domain of their own. A verdict is cached for at most
 * a second, and a new version of the file takes effect for every client within two.
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
  /** Undefined for a third-party provider, of which only names are known. */
  readonly own?: FlagProvider;
  readonly names: readonly string[];
  readonly now: () => number;
  readonly onError: Reporter;
}

/** How long a provider may take: one that hangs must not hold up a call. */
const providerTimeoutMs = 1_000;
const closedVerdict: FlagVerdict = { isEnabled: false, reason: "closed" };
/** The verdict where the source fails: broken configuration must not enable a feature. */
const failedVerdict: FlagVerdict = { isEnabled: false, reason: "error" };

function createFlags(domain: FlagDomain, { own, names, now, onError }: FlagSource): Flags {
  const cache = new VerdictCache(now);
  const clear = () => cache.clear();
  domain.client.addHandler(ProviderEvents.ConfigurationChanged, clear);
  const reported = new Map<string, string>();
  let isOpen = true;

  /** Reports a failure of a flag once, until it changes or the flag has worked again. */
  function report(flag: string, problem: string | undefined): void {
    if (problem === reported.get(flag)) return;
    reported.delete(flag);
    if (problem === undefined) return;
    reported.set(flag, problem);
    onError(unavailable(`Cannot evaluate the flag ${flag}, which is off therefore: ${problem}`));
  }

  async function ask(name: string, client: string): Promise<FlagVerdict> {
    // Without its provider the domain would fall back to the default provider of the process.
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
      // Hooks of the process and a provider that hangs are not ours: the flag is off.
      return failedVerdict;
    }
  }

  const evaluate = (name: string, client: string) => cache.find(name, client) ?? ask(name, client);

  return {
    evaluate,
    has(name) {
      if (own === undefined) return names.includes(name);
      // A flag that was added to the file is known from the next question on.
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

/** The verdict in an evaluation of OpenFeature, whatever its provider. */
function toVerdict(details: EvaluationDetails<boolean>): FlagVerdict {
  const { value, reason, errorCode, flagMetadata } = details;
  if (errorCode === ErrorCode.FLAG_NOT_FOUND) return { isEnabled: false, reason: "unknown" };
  // The SDK does not check the type of a provider's value.
  if (errorCode !== undefined || reason === "ERROR" || typeof value !== "boolean") return failedVerdict;
  const state = flagStates.find((known) => known === flagMetadata["state"]);
  return { isEnabled: value, reason: toReason(reason), ...(state === undefined ? {} : { state }) };
}

/** OpenFeature writes `TARGETING_MATCH`; its `UNKNOWN` means that the provider gives no reason. */
function toReason(reason: unknown): string {
  if (typeof reason !== "string" || reason === "" || reason === "UNKNOWN") return "provider";
  return reason.slice(0, 60).toWellFormed().toLowerCase();
}

function describeProblem({ errorCode, errorMessage, value }: EvaluationDetails<boolean>): string {
  if (typeof value !== "boolean") return `the provider gave a ${typeof value}, not a boolean`;
  return [errorCode, errorMessage].filter(Boolean).join(", ") || "the provider says so";
}

/** The verdict on a flag, and the parts of its definition that are set. */
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
