import { randomUUID } from "node:crypto";
import { type Client, NOOP_PROVIDER, OpenFeature, type Provider } from "@openfeature/server-sdk";

/** A provider with an OpenFeature domain to itself: others in the process neither see nor disturb it. */
export interface FlagDomain {
  readonly client: Client;
  /** Whether the provider is still the one that answers. */
  isBound(): boolean;
  release(): void;
}

/** OpenFeature keeps every domain for ever, so those that are free again are used again. */
const free: string[] = [];

/** Gives a provider a domain and waits until it is ready; throws what its start throws. */
export async function bindProvider(provider: Provider): Promise<FlagDomain> {
  // The id keeps domains apart where a process holds this package twice.
  const name = free.pop() ?? `foundry-mcp-flags-${randomUUID()}`;
  const release = () => {
    // The SDK closes the provider unless it serves another domain as well.
    OpenFeature.setProvider(name, NOOP_PROVIDER);
    free.push(name);
  };
  try {
    await OpenFeature.setProviderAndWait(name, provider);
  } catch (error) {
    release();
    throw error;
  }
  return {
    client: OpenFeature.getClient(name),
    isBound: () => OpenFeature.getProvider(name) === provider,
    release,
  };
}
