/** Whether a file is Markdown, by its name's ending. */
export const isMarkdown = (path: string): boolean => /\.(?:md|markdown)$/i.test(path);
