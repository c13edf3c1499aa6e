/**
 * Whether the test files of a process share its modules, and so one browser and warm Workers; only then is anything kept
 * from one file to the next. In CI each file has modules of its own.
 */
export const isShared = process.env['BOOKSTALL_SHARED_TESTS'] === 'true';
