// Feature flags through OpenFeature: from a file, from code, or from a provider of your own.
// They only decide; the registry answers FEATURE_DISABLED.

// Definitions and rules of flags.
export type { FlagRule } from "./flags/decide-flag.ts";
export type { Flag, FlagDefinition, FlagOverrides, FlagSet } from "./flags/flag-definition.ts";

// The provider alone, for other uses of OpenFeature in the process.
export { FlagProvider, type FlagProviderOptions } from "./flags/flag-provider.ts";

// The flags of a registry.
export type { FlagReport, FlagState, Flags, FlagVerdict } from "./flags/flags.ts";
export { type FlagsOptions, openFlags } from "./flags/open-flags.ts";
export type { GivenFlags } from "./flags/parse-flags.ts";
