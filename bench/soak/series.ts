import type { Section } from "../report.ts";
import type { Point } from "./slope.ts";

/** A chart of values over time: one line for each server. */
export interface Series {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly { readonly name: string; readonly points: readonly Point[] }[];
}

/** A section with charts of values over time. */
export interface SeriesSection extends Section {
  readonly series: readonly Series[];
}

/** True for a section with charts of values over time. */
export function hasSeries(section: Section): section is SeriesSection {
  return "series" in section;
}
