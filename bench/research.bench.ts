import type { Bench } from "./report.ts";

/**
 * Measures whether digests answer questions about packaged documents, and whether they know when they do not. It prints
 * shares, not times, so it has no results to write.
 */
export const research: Bench = {
  name: "research",
  title: "answers to questions about packaged documents",
  run: async ({ quick = false, half = "tune" }) => {
    const { compareAnswers } = await import("./research/answers.ts");
    const { askFolder } = await import("./research/folders.ts");
    await compareAnswers({ half, quick });
    if (!quick) await askFolder(half);
    return [];
  },
};
