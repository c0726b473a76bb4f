import { z } from "zod";

type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * An output schema that checks these members at run time and allows others beside them. `T` is the type of the
 * payload for the handler and for `cli.show`.
 */
export const payload = <T extends object = object>(shape: Shape) =>
  z.looseObject(shape) as unknown as z.ZodType<T>;

/** A list of objects that have these members, and may have others. */
export const rows = (shape: Shape) => z.array(z.looseObject(shape));
