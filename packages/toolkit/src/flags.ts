// Feature flags through OpenFeature, defined in a file, in code or by a provider of the application. This
// module only evaluates flags. The registry refuses calls of features that are off with FEATURE_DISABLED.

// Definitions and rules of flags.
export type { FlagRule } from "./flags/decide-flag.ts";
export type { Flag, FlagDefinition, FlagOverrides, FlagSet } from "./flags/flag-definition.ts";

// The OpenFeature provider, for other code in the process that evaluates flags.
export { FlagProvider, type FlagProviderOptions } from "./flags/flag-provider.ts";

// The feature flags of a registry.
export type { FlagReport, FlagState, Flags, FlagVerdict } from "./flags/flags.ts";
export { type FlagsOptions, openFlags } from "./flags/open-flags.ts";
export type { GivenFlags } from "./flags/parse-flags.ts";
