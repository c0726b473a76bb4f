import type { UntrustedSchema } from "../schemas/json-schema.ts";

/** Numbers that may fit a schema of numbers, the most harmless first. */
export function makeNumbers(schema: UntrustedSchema, isWhole: boolean): readonly number[] {
  const factor = toNumber(schema["multipleOf"]);
  const step = factor !== undefined && factor > 0 ? factor : 1;
  const low = toNumber(schema["minimum"]);
  const above = toNumber(schema["exclusiveMinimum"]);
  const high = toNumber(schema["maximum"]);
  const below = toNumber(schema["exclusiveMaximum"]);
  const ends = [low, above, high, below].filter((end) => end !== undefined);
  const grid = ends.flatMap((end) => {
    const near = Math.round(end / step) * step;
    return [end, near, near + step, near - step, Math.ceil(end), Math.floor(end)];
  });
  const [bottom, top] = [low ?? above, high ?? below];
  const middle = bottom !== undefined && top !== undefined ? [(bottom + top) / 2] : [];
  const likely = [1, step, 0, ...grid, ...middle, ...ends.flatMap((end) => [end + 1, end - 1])];
  const fits = (value: number) =>
    Number.isFinite(value) &&
    (!isWhole || Number.isInteger(value)) &&
    (low === undefined || value >= low) &&
    (above === undefined || value > above) &&
    (high === undefined || value <= high) &&
    (below === undefined || value < below);
  // JSON knows one zero.
  return likely.filter(fits).map((value) => (value === 0 ? 0 : value));
}

function toNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
