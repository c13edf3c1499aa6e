/** The reader's own pages: library, account, keys, links and logs. */
export const library = {};
