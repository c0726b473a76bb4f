import { isContractError, unavailable } from "@foundry-mcp/contract";
import { type EvaluationDetails, type Provider, ProviderEvents } from "@openfeature/server-sdk";
import { bindProvider, type FlagDomain } from "./flag-domain.ts";
import { FlagProvider } from "./flag-provider.ts";
import type { Flags, FlagVerdict } from "./flags.ts";
import { type FlagsOptions, requireOneSource } from "./flags-options.ts";
import { createReporter, type Reporter } from "./reporter.ts";
import { toReport } from "./to-report.ts";
import { failedVerdict, toVerdict } from "./to-verdict.ts";
import { VerdictCache } from "./verdict-cache.ts";

const closedVerdict: FlagVerdict = { isEnabled: false, reason: "closed" };

/**
 * Opens the flags of a registry, through an OpenFeature domain of their own. A verdict counts for at most
 * a second, and a new version of the file for everyone within two.
 *
 * @example
 * const flags = await openFlags({ file: "flags.json" });
 * const registry = createRegistry({ name: "harbour", version: "1.0.0", tools, flags });
 */
export async function openFlags(options: FlagsOptions): Promise<Flags> {
  requireOneSource(options);
  const { provider, names = [], now = Date.now } = options;
  const onError = createReporter(options.onError);
  if (provider !== undefined) return createFlags(await bind(provider), { names, now, onError });
  const own = new FlagProvider(options);
  return createFlags(await bind(own), { own, names, now, onError });
}

async function bind(provider: Provider): Promise<FlagDomain> {
  try {
    return await bindProvider(provider);
  } catch (cause) {
    if (isContractError(cause)) throw cause;
    throw unavailable("Cannot open flags: the provider did not start", {
      cause,
      remediation: "Look at the cause, and give a provider that can start on a server.",
    });
  }
}

interface Source {
  /** Undefined where the provider is a foreign one, of which only names are known. */
  readonly own?: FlagProvider;
  readonly names: readonly string[];
  readonly now: () => number;
  readonly onError: Reporter;
}

function createFlags(domain: FlagDomain, { own, names, now, onError }: Source): Flags {
  const cache = new VerdictCache(now);
  const clear = () => cache.clear();
  domain.client.addHandler(ProviderEvents.ConfigurationChanged, clear);
  const troubles = new Map<string, string>();
  let isOpen = true;

  /** Tells a failure once, until it is another one or the flag has worked again. */
  function tell(flag: string, trouble: string | undefined): void {
    if (trouble === troubles.get(flag)) return;
    troubles.delete(flag);
    if (trouble === undefined) return;
    troubles.set(flag, trouble);
    onError(unavailable(`Cannot evaluate the flag ${flag}, which is off therefore: ${trouble}`));
  }

  async function ask(name: string, client: string): Promise<FlagVerdict> {
    // Without its provider a domain would ask the one that the process has set for everyone.
    if (!isOpen || !domain.isBound()) return closedVerdict;
    const keep = cache.expect(name, client);
    try {
      const asking = domain.client.getBooleanDetails(name, false, { targetingKey: client });
      const details = await within(longestWaitMs, asking);
      const verdict = toVerdict(details);
      if (verdict !== failedVerdict) keep(verdict);
      tell(name, verdict === failedVerdict ? toTrouble(details) : undefined);
      return verdict;
    } catch {
      // Hooks of the process and a provider that hangs are not ours; a flag has a verdict all the same.
      return failedVerdict;
    }
  }

  const evaluate = (name: string, client: string) => cache.find(name, client) ?? ask(name, client);

  return {
    evaluate,
    has(name) {
      if (own === undefined) return names.includes(name);
      // A flag that was added to the file is there for the next who asks.
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

/** A provider that hangs must not hold up a call. */
const longestWaitMs = 1_000;

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("too late")), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function toTrouble({ errorCode, errorMessage, value }: EvaluationDetails<boolean>): string {
  if (typeof value !== "boolean") return `the provider gave a ${typeof value}, not a boolean`;
  return [errorCode, errorMessage].filter(Boolean).join(", ") || "the provider says so";
}
