export type Limits = { readonly files: number; readonly bytes: number };

export const defaultLimits: Limits = { files: 10_000, bytes: 1024 ** 3 };

/** The highest limits that a setting may give: a zip archive holds at most 65,535 files and 4 GiB. */
export const MOST_LIMITS: Limits = { files: 65_000, bytes: 4_000_000_000 };
