/** The tests of things so large that a developer's machine leaves them to CI; `npm test` prints their names. */
export const CI_ONLY = [
  '1,000 items are listed, at once for a second reader, and the first leaves others their turns',
  'an item of 10,000 files is served whole, one of 10,001 is not',
] as const;

/** Whether everything runs. */
export const isCi = process.env['CI'] === 'true';
