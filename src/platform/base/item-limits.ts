export type Limits = { readonly files: number; readonly bytes: number };

export const defaultLimits: Limits = { files: 10_000, bytes: 1024 ** 3 };
