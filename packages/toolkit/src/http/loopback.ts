import { isIPv4 } from "node:net";

/** The names of this machine's loopback interface; all other addresses in 127.0.0.0/8 are loopback addresses too. */
export const loopbackNames: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Returns true for a loopback name or a loopback address in the form of a URL. */
export function isLoopbackName(name: string): boolean {
  return loopbackNames.includes(name) || (isIPv4(name) && name.startsWith("127."));
}
