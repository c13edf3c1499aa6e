/** The tests of things so large that a developer's machine leaves them to CI; `npm test` prints their names. */
export const CI_ONLY = [
  '1,000 items are listed, at once for a second reader, and the first leaves others their turns',
  'an item of 10,000 files is served whole, one of 10,001 is not',
] as const;

/** The same of whole files: other people's programs, disks and models that fail, pages of the largest and the most hostile texts. */
export const CI_ONLY_FILES = [
  'test/binary/air-gapped.test.ts',
  'test/binary/backup-faults.test.ts',
  'test/binary/faulty-start.test.ts',
  'test/binary/full-disk.test.ts',
  'test/browser/hard-texts.test.ts',
  'test/browser/hostile.test.ts',
  'test/client/terminal.test.ts',
  'test/clients/conformance.test.ts',
  'test/clients/firefox.test.ts',
  'test/clients/inspector.test.ts',
  'test/clients/isomorphic-git.test.ts',
  'test/clients/skills-git.test.ts',
  'test/clients/skills.test.ts',
  'test/ebook/epubcheck.test.ts',
  'test/engines/faults.test.ts',
  'test/http/agents/git-stalled.test.ts',
  'test/http/large-book.test.ts',
  'test/http/round-trip.test.ts',
  'test/http/slow-clients.test.ts',
  'test/packages.test.ts',
  'test/release.test.ts',
  'test/store/kill.test.ts',
] as const;

/** The same of some rows of tables, by file. */
export const CI_ONLY_ROWS = {
  'test/browser/pages.test.ts': 'pages as wide as on a desktop, and those of a new and of an empty stall',
  'test/browser/reading-walk.test.ts': 'every hand but the keyboard',
  'test/browser/walk.test.ts': 'every hand but the keyboard',
} as const;

/** Whether everything runs. */
export const isCi = process.env['CI'] === 'true';
