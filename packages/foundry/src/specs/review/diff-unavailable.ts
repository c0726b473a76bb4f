/** Why there is no diff, as a part of a sentence. A review goes on without one, so that this never reaches a caller. */
export class DiffUnavailable extends Error {}
