import type { lookup as lookupName } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { UnusableDocument } from "./unusable-document.ts";

/** Says which addresses may be connected to. */
export type AddressRule = (address: string) => boolean;

/**
 * A look-up for connections that gives only addresses that may be connected to. One that may not spoils all: a name
 * that stands for a public and a private address was made to lead astray.
 */
export function guardedLookup(lookup: typeof lookupName, isAllowed: AddressRule): LookupFunction {
  return (name, options, tell) => {
    lookup(name, { ...options, all: true }, (err, addresses) => {
      if (err !== null) return tell(err, "", 0);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isAllowed(address)))
        return tell(notPublic(), "", 0);
      if (options.all) tell(null, addresses);
      else tell(null, first.address, first.family);
    });
  };
}

/** Refuses an address in the place of a name, which is never looked up. */
export function requireAllowedHost(url: URL, isAllowed: AddressRule): void {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !isAllowed(host)) throw notPublic();
}

function notPublic(): UnusableDocument {
  return new UnusableDocument("forbidden", "It is at an address that is not of the public internet");
}
