export type Limits = { readonly files: number; readonly bytes: number };

export const defaultLimits: Limits = { files: 10_000, bytes: 1024 ** 3 };

/** The limits to which a setting may raise these: an archive in the zip format takes no more. */
export const MOST_LIMITS: Limits = { files: 65_000, bytes: 4_000_000_000 };
