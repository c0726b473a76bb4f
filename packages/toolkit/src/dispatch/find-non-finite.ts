interface Frame {
  readonly value: object;
  readonly key: string | number;
  readonly above: Frame | undefined;
}

/**
 * Returns the keys that lead to a number that JSON cannot represent, such as the Infinity that JSON.parse returns for
 * 1e999; undefined if there is none. A handler would store such a number as null, but would answer as if it were stored.
 * The caller has checked the depth of the value.
 */
export function findNonFinite(root: object): readonly (string | number)[] | undefined {
  const stack: Frame[] = [{ value: root, key: "", above: undefined }];
  for (let frame = stack.pop(); frame !== undefined; frame = stack.pop()) {
    const entries = Array.isArray(frame.value) ? frame.value.entries() : Object.entries(frame.value);
    for (const [key, inner] of entries as Iterable<[string | number, unknown]>) {
      if (typeof inner === "number" && !Number.isFinite(inner)) return [...keysTo(frame), key];
      if (typeof inner === "object" && inner !== null) stack.push({ value: inner, key, above: frame });
    }
  }
  return undefined;
}

function keysTo(frame: Frame): readonly (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at = frame; at.above !== undefined; at = at.above) keys.push(at.key);
  return keys.reverse();
}
