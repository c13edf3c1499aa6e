/** The format of a resized cover: WebP for pages, JPEG for programs that do not know WebP. */
export type CoverForm = 'webp' | 'jpeg';

/**
 * A job for the Worker: to write a small copy of a cover into the file `out`. `artefact` is the JSON file with the contents of
 * all files of the edition; the bytes from `start` to `end` (exclusive) in it are the cover in base64.
 */
export type CoverJob = {
  readonly task: 'cover';
  readonly form: CoverForm;
  readonly artefact: string;
  readonly start: number;
  readonly end: number;
  readonly out: string;
};
