import { randomUUID } from "node:crypto";
import { isContractError, unavailable } from "@foundry-mcp/contract";
import { type Client, NOOP_PROVIDER, OpenFeature, type Provider } from "@openfeature/server-sdk";

/** An OpenFeature domain for one provider: the rest of the process neither sees nor disturbs it. */
export interface FlagDomain {
  readonly client: Client;
  /** Whether the provider is still the one of this domain. */
  isBound(): boolean;
  release(): void;
}

/** Names of released domains. OpenFeature keeps every domain for ever, so they are used again. */
const freeNames: string[] = [];

/** Binds a provider to a domain of its own and waits until it is ready. */
export async function bindProvider(provider: Provider): Promise<FlagDomain> {
  // The id keeps domains apart where a process loads this package twice.
  const name = freeNames.pop() ?? `foundry-mcp-flags-${randomUUID()}`;
  const release = () => {
    // The SDK closes the provider unless it serves another domain as well.
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
      remediation: "Look at the cause, and give a provider that can start on a server.",
    });
  }
  return {
    client: OpenFeature.getClient(name),
    isBound: () => OpenFeature.getProvider(name) === provider,
    release,
  };
}
