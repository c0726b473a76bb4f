import { randomUUID } from "node:crypto";
import { isContractError, unavailable } from "@foundry-mcp/contract";
import { type Client, NOOP_PROVIDER, OpenFeature, type Provider } from "@openfeature/server-sdk";

/** An OpenFeature domain for one provider, isolated from other uses of OpenFeature in the process. */
export interface FlagDomain {
  readonly client: Client;
  /** Returns true if the provider is still bound to its OpenFeature domain. */
  isBound(): boolean;
  release(): void;
}

/**
 * The names of OpenFeature domains that are no longer in use. These names are used again, because OpenFeature
 * never removes a domain.
 */
const freeNames: string[] = [];

/** Binds a flag provider to a separate OpenFeature domain and waits until the provider is ready. */
export async function bindProvider(provider: Provider): Promise<FlagDomain> {
  // The random id keeps OpenFeature domains apart if a process loads this package twice.
  const name = freeNames.pop() ?? `foundry-mcp-flags-${randomUUID()}`;
  const release = () => {
    // The OpenFeature SDK closes the replaced provider, unless that provider also serves another domain.
    OpenFeature.setProvider(name, NOOP_PROVIDER);
    freeNames.push(name);
  };
  try {
    await OpenFeature.setProviderAndWait(name, provider);
  } catch (cause) {
    release();
    if (isContractError(cause)) throw cause;
    throw unavailable("Cannot open flags: the provider did not start", {
      cause,
      remediation: "See the cause, and use a provider that can start on a server.",
    });
  }
  return {
    client: OpenFeature.getClient(name),
    isBound: () => OpenFeature.getProvider(name) === provider,
    release,
  };
}
