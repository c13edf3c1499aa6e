/** The format of a resized cover: WebP for pages, JPEG for programs that do not know WebP. */
export type CoverForm = 'webp' | 'jpeg';

/**
 * An image to resize, in base64: the bytes `start` to `end` (exclusive) of the JSON file with the contents of all its
 * edition's files.
 */
export type CoverJob = {
  readonly task: 'cover';
  readonly form: CoverForm;
  readonly artefact: string;
  readonly start: number;
  readonly end: number;
  readonly out: string;
};
