// Feature flags, decided through OpenFeature: from a file, from code, or by a provider of one's own.
// It decides; that a disabled feature answers FEATURE_DISABLED is the registry's doing.

// What a flag is, and the rules that decide it.
export type { FlagRule } from "./flags/decide-flag.ts";
export type { Flag, FlagDefinition, FlagOverrides, FlagSet } from "./flags/flag-definition.ts";

// The provider by itself, for those who use OpenFeature elsewhere in their process.
export { FlagProvider, type FlagProviderOptions } from "./flags/flag-provider.ts";

// What a registry takes.
export type { FlagReport, FlagState, Flags, FlagVerdict } from "./flags/flags.ts";
export type { FlagsOptions } from "./flags/flags-options.ts";
export { openFlags } from "./flags/open-flags.ts";
export type { GivenFlags } from "./flags/parse-flags.ts";
