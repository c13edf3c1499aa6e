/** The pages of a text: chapter, contents, notes, search and answers. */
export const reading = {};
