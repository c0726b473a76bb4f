import type { Logger, Registry } from "@foundry-mcp/toolkit";
import type { CallCounter } from "./call-counts.ts";
import type { Observation } from "./observation.ts";

/** What observing calls needs. */
export interface ObserverDeps {
  readonly registry: Registry;
  readonly counter: CallCounter;
  readonly logger: Logger;
  /** The names of listed tools in the order of the list; the tools of the gateway itself come first. */
  readonly listNames: () => readonly string[];
  /** Changes a call before it is dispatched. */
  readonly prepare: (
    call: Parameters<Registry["dispatch"]>[0],
  ) => Parameters<Registry["dispatch"]>[0] | Promise<Parameters<Registry["dispatch"]>[0]>;
}

/**
 * Returns the registry with a `dispatch` that prepares each call, counts it and writes one line to the log. The order of
 * its definitions does not depend on which server was connected first.
 */
export function createObservedRegistry(deps: ObserverDeps): Registry {
  const { registry, counter, logger, prepare, listNames } = deps;
  const dispatch: Registry["dispatch"] = async (given, caller) => {
    const begin = performance.now();
    const observation: Observation = {};
    const prepared = prepare(given);
    const call = prepared instanceof Promise ? await prepared : prepared;
    const outcome = await registry.dispatch({ ...call, notes: observation }, caller);
    counter.add(observation, outcome);
    const { envelope, text, tool } = outcome;
    const facts = {
      upstream: observation.upstream,
      tool,
      code: envelope.success ? "OK" : envelope.data.error_code,
      duration_ms: Math.round((performance.now() - begin) * 10) / 10,
      chars_before: observation.chars ?? 0,
      chars_after: text.length,
      request_id: envelope.meta.request_id,
    };
    logger.info(facts, "gateway call");
    return outcome;
  };
  // The other members are those of the registry, whose getters must see the tools that are added later.
  return Object.create(registry, {
    dispatch: { value: dispatch, enumerable: true },
    definitions: { get: createOrder(registry, listNames), enumerable: true },
  }) as Registry;
}

/** Returns a function that returns the definitions in order; they are ordered again only after a change. */
function createOrder(registry: Registry, listNames: () => readonly string[]): () => Registry["definitions"] {
  let known: Registry["definitions"] | undefined;
  registry.onChange(({ kind }) => {
    if (kind === "tools") known = undefined;
  });
  return () => {
    if (known !== undefined) return known;
    const places = new Map(listNames().map((name, index) => [name, index]));
    const placeOf = ({ name }: { readonly name: string }) => places.get(name) ?? -1;
    known = registry.definitions.toSorted((one, other) => placeOf(one) - placeOf(other));
    return known;
  };
}
