import { isRecord } from "@foundry-mcp/contract";
import { isTooDeep, maxDepth } from "@foundry-mcp/contract/input";

/**
 * Limits the depth of a message, because the SDK's schemas recurse. Returns undefined if the message nests too
 * deeply outside the arguments of a call. Arguments that nest too deeply are truncated one level beyond the limit,
 * so that dispatch refuses the call with an envelope, as on every surface.
 */
export function limitMessageDepth(message: unknown): unknown {
  if (!Array.isArray(message)) return limitOne(message);
  const limited = message.map(limitOne);
  return limited.includes(undefined) ? undefined : limited;
}

function limitOne(message: unknown): unknown {
  if (!isTooDeep(message)) return message;
  if (!isRecord(message) || message["method"] !== "tools/call" || !isRecord(message["params"]))
    return undefined;
  const { arguments: args, ...params } = message["params"];
  const rest = { ...message, params };
  if (isTooDeep(rest)) return undefined;
  return { ...rest, params: { ...params, arguments: cutDepth(args, maxDepth + 1) } };
}

/**
 * Replaces values that nest deeper than `limit` with null. Changes the value in place, because it was just parsed
 * from JSON and nothing else uses it.
 */
function cutDepth(root: unknown, limit: number): unknown {
  const stack: unknown[] = [root];
  const depths: number[] = [1];
  while (stack.length > 0) {
    const node = stack.pop() as Record<string, unknown>;
    const depth = depths.pop() as number;
    for (const key in node) {
      const value = node[key];
      if (typeof value !== "object" || value === null) continue;
      if (depth === limit) {
        Object.defineProperty(node, key, {
          value: null,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      } else {
        stack.push(value);
        depths.push(depth + 1);
      }
    }
  }
  return root;
}
