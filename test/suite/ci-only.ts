import timings from './timings.json';

/** Whether everything runs. */
export const isCi = process.env['CI'] === 'true';

/** The measured time of a file above which `npm test` leaves it to CI, in milliseconds. */
const LONGEST_FILE = 5_500;

/** The long files that `npm test` runs nevertheless: who may do what, the program's start, and a purchase in a browser. */
const ALWAYS = [
  'test/binary/start.test.ts',
  'test/browser/walk.test.ts',
  'test/platform/http/matrix.test.ts',
  'test/platform/http/who-may.test.ts',
];

/** The files that only CI runs. */
export const CI_ONLY_FILES = Object.entries(timings.files)
  .filter(([file, time]) => time > LONGEST_FILE && !ALWAYS.includes(file))
  .map(([file]) => file);
