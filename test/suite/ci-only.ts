/** The tests of things so large that a developer's machine leaves them to CI; `npm test` prints their names. */
export const CI_ONLY = [
  '1,000 items are listed, at once for a second reader, and the first leaves others their turns',
  'an item of 10,000 files is served whole, one of 10,001 is not',
] as const;

/** The same of whole files: other people's programs, and pages of the largest and the most hostile texts. */
export const CI_ONLY_FILES = [
  'test/browser/hard-texts.test.ts',
  'test/browser/hostile.test.ts',
  'test/clients/conformance.test.ts',
  'test/clients/inspector.test.ts',
  'test/clients/isomorphic-git.test.ts',
  'test/clients/skills-git.test.ts',
  'test/clients/skills.test.ts',
  'test/ebook/epubcheck.test.ts',
] as const;

/** Whether everything runs. */
export const isCi = process.env['CI'] === 'true';
